-- Updates the stored activity of the anonymous users that retention reads next. $1: the maximum number of users. Rows:
-- one row with the number of users who are not idle. Locks: the changed rows of the table `users`, SKIP LOCKED.
select note_activity($1)
