-- Lists at most 500 current and former members of a group, current members first. $1 is the group's id. Rows: the
-- user's id, the name, the role, when the user joined, when the user left (null for a current member), whether the
-- member is muted, whether the member shares workouts. Locks: none. Index: member_pkey, users_pkey.
select m.user_id::text, redacted(u.display_name), m.role, m.joined_at, m.left_at, m.is_muted, u.shares_workouts
from member m
join users u on u.id = m.user_id
where m.group_id = $1
order by m.left_at is not null, m.joined_at, m.user_id
limit 500
