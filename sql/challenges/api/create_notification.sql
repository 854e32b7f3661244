-- Creates a notification for a user. The statement is reserved for the server. $1: the key. $2: the user. $3: the
-- group. $4: the message. Rows: one row with a boolean that is true if the notification is new. Locks: the user's row.
select create_notification($1, $2, $3, $4)
