-- Another number where somebody joins or leaves, or has another name, photo or sharing: what a board that lists
-- members without a workout shows beside its ranks.
create or replace function members_mark(of_group text) returns bigint
language sql stable as $$
  select coalesce(bit_xor(hashtextextended(m.user_id, u.version)), 0)
  from member m
  join users u on u.id = m.user_id
  where m.group_id = of_group and m.left_at is null
$$
