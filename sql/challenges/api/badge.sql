-- How many are unread. $1 actor. Rows: one. Locks: none. Index: notification_user.
select badge($1)
