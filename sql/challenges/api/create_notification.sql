-- Creates a notification for a user; for the server. $1 key, $2 user, $3 group, $4 message. Rows: one: whether the
-- notification is new. Locks: the user's row, by the key.
select create_notification($1, $2, $3, $4)
