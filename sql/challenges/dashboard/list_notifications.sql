-- The notifications of a member that are still visible, newest first, 50 at most. $1 the user's id. Rows: when, type,
-- group's id, read or not, message in English. Locks: none. Index: notification_user.
select n.created_at, n.type::text, n.group_id::text, n.is_read, redacted(coalesce(n.content ->> 'message', ''))
from visible_notification n
where n.user_id = $1
order by n.created_at desc, n.id desc
limit 50
