-- Which viewers may not see the boards of a group, as require_member refuses them. $1 users, $2 the group of each.
-- Rows: number in the list from 1, name of the error. Locks: none. Index: member_pkey.
-- A scalar, because it is looked up for each: NOT EXISTS would become a join that might read the whole table.
select v.number,
  case
    when not exists (select from users u where u.id = v.user_id) then 'notAuthenticated'
    when not exists (select from groups g where g.id = v.group_id and g.is_active) then 'groupNotFound'
    else 'notAMember'
  end
from unnest($1::text[], $2::text[]) with ordinality v (user_id, group_id, number)
where (
  select true from member m
  where m.group_id = v.group_id and m.user_id = v.user_id and m.left_at is null) is null
