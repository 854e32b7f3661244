-- Updates the stored activity of anonymous users whose stored activity is older than the retention period, oldest
-- first. $1: the maximum number of users. Rows: one row with the number of users who are not idle. Locks: the changed
-- rows of the `users` table, SKIP LOCKED.
select note_activity($1)
