-- Copies a user's current name and photo to the user's entries. If the user has left the group or does not share
-- workouts, the entries are hidden. $1: the group's id. $2: the user's id. $3: the ids of the boards. Rows: one row.
-- Locks: the changed entries. The caller must have locked the member and the boards.
select follow_user($1, $2, $3)
