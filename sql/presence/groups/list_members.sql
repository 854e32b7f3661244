-- Lists current and former members of a group, current members first. $1: the group's id. Rows: user id, name, role,
-- join time, leave time (null for a current member). Locks: none. Indexes: member_pkey, users_pkey.
select m.user_id::text, u.display_name, m.role, iso_text(m.joined_at), iso_text(m.left_at)
from member m
join users u on u.id = m.user_id
where m.group_id = $1::text
order by m.left_at is not null, m.joined_at, m.user_id
