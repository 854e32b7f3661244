-- Stores the last activity of anonymous users that retention reads next. $1 is the maximum number of users. Rows: one:
-- the number of users that are not idle. Locks: those of note_activity.
select note_activity($1)
