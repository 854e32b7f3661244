-- Returns a number that changes if a user joins or leaves a group, or if a member's name, photo or sharing changes. The
-- returned number is needed for boards that also list members without a workout.
create or replace function members_mark(of_group text) returns bigint
language sql stable as $$
  select coalesce(bit_xor(hashtextextended(m.user_id, u.version)), 0)
  from member m
  join users u on u.id = m.user_id
  where m.group_id = of_group and m.left_at is null
$$
