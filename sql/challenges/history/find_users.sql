-- Finds up to 101 users by id or name. If $1 is a user's id, only this user is returned. $1: the id or the name. Rows:
-- the id, the name, and the user's current group (or null). Locks: none. Indexes: users_pkey, user_display_name,
-- active_group_pkey.
with found as materialized (
  select id, display_name from users where id = $1::text
  union all
  -- With the condition `display_name = $1`, the planner could read all users in order of id.
  (select id, display_name from users
    where display_name >= $1::text and display_name <= $1::text and not exists (select from users where id = $1::text)
    order by display_name, id
    limit 101)
)
select f.id::text, f.display_name, a.group_id::text
from found f
left join active_group a on a.user_id = f.id
order by f.id
