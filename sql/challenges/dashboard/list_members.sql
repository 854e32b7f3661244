-- Lists up to 500 current and former members of a group, current members first. $1: the group's id. Rows: user id,
-- name, role, join time, leave time (null for a current member), whether notifications are muted, whether workouts are
-- shared. Locks: none. Indexes: member_current, member_pkey, users_pkey. If the group has more than 500 current and
-- former members, only the former members with the lowest ids are listed.
select m.user_id::text, redacted(u.display_name), m.role, m.joined_at, m.left_at, m.is_muted, u.shares_workouts
from (
  (
    select c.* from member c
    where c.group_id = $1 and c.left_at is null
    order by c.joined_at, c.user_id
    limit 500)
  union all
  (
    select f.* from member f
    where f.group_id = $1 and f.left_at is not null
    order by f.user_id
    limit 500)
  limit 500
) m
join users u on u.id = m.user_id
order by m.left_at is not null, m.joined_at, m.user_id
