-- Creates a notification for a user. The statement is reserved for the server. $1 is the key, $2 the user, $3 the
-- group, $4 the message. Rows: one: whether the notification is new. Locks: the user's row.
select create_notification($1, $2, $3, $4)
