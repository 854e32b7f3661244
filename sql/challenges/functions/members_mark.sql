-- A number that changes if a user joins or leaves, or if a member's name, photo or sharing changes. A board that lists
-- members without a workout shows these in addition to its ranks.
create or replace function members_mark(of_group text) returns bigint
language sql stable as $$
  select coalesce(bit_xor(hashtextextended(m.user_id, u.version)), 0)
  from member m
  join users u on u.id = m.user_id
  where m.group_id = of_group and m.left_at is null
$$
