-- Copies the user's current name and photo to a member's entries, and hides the entries of absent members. $1 is the
-- group, $2 the user, $3 contains the boards. Rows: one. Locks: the entries that change. The caller must have locked
-- the member and the boards.
select follow_user($1, $2, $3)
