-- What the actor is told, newest first. $1 actor, $2 and $3 time and id of the last one seen or null, $4 how
-- many. Rows: one each. Locks: none. Index: notification_user.
select id, created_at, expires_at, group_id, type::text, message, is_read
from notifications($1, $2, $3, $4)
