-- Copies the user's current name and photo to a member's entries, and hides the entries of absent members. $1: the
-- group. $2: the user. $3: the boards. Rows: one row. Locks: the entries that change. The caller must have locked the
-- member and the boards.
select follow_user($1, $2, $3)
