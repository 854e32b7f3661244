-- Marks as read. $1 actor, $2 ids. Rows: one: how many were unread. Locks: those, in order.
-- Index: notification_user.
select mark_read($1, $2)
