-- Lists the users at a group's place, latest arrival first. $1: the group's id. Rows: user id, name, source, check-in
-- time, and deadline (null if no deadline is set). Locks: none. Indexes: presence_present, users_pkey.
select p.user_id::text, u.display_name, p.source::text, iso_text(p.since), iso_text(p.deadline)
from presence p
join users u on u.id = p.user_id
where p.group_id = $1::text and p.is_present
order by p.since desc, p.user_id
