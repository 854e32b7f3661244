-- Creates a notification for a user. Only the server may execute this statement. $1: the notification's key. $2: the
-- user's id. $3: the group's id. $4: the message text. Rows: one row with a boolean that is true if the notification is
-- new. Locks: the user's row.
select create_notification($1, $2, $3, $4)
