-- Who is to be told of a message, and what. $1 its id. Rows: one each of the group's members but the author; none where
-- the message was deleted or is gone, or nobody else is there. Locks: none. Index: message_once, member_pkey.
select g.id::text, g.name, m.user_id::text, u.display_name, m.content, r.user_id::text
from message m
join groups g on g.id = m.group_id
left join users u on u.id = m.user_id
join member r on r.group_id = m.group_id and r.left_at is null and r.user_id is distinct from m.user_id
where m.id = $1 and m.deleted_at is null
order by r.user_id
