-- Copies a user's current name and photo to the user's entries. If the user is absent, the entries are hidden. $1: the
-- group. $2: the user. $3: the boards. Rows: one row. Locks: the changed entries. The caller must have locked the
-- member and the boards.
select follow_user($1, $2, $3)
