-- Lists up to 50 of a member's visible notifications, newest first. $1: the user's id. Rows: the time, the type, the
-- group's id, whether the notification is read, and the message in English. Locks: none. Index: notification_user.
select n.created_at, n.type::text, n.group_id::text, n.is_read, redacted(coalesce(n.content ->> 'message', ''))
from visible_notification n
where n.user_id = $1
order by n.created_at desc, n.id desc
limit 50
