-- Members and former members of a group, members first, 500 at most. $1 its id. Rows: user's id, name, role, since
-- when, until when (null: still a member), muted or not, sharing workouts or not. Locks: none. Index: member_pkey,
-- users_pkey.
select m.user_id::text, redacted(u.display_name), m.role, m.joined_at, m.left_at, m.is_muted, u.shares_workouts
from member m
join users u on u.id = m.user_id
where m.group_id = $1
order by m.left_at is not null, m.joined_at, m.user_id
limit 500
