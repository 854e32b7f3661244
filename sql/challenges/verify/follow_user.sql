-- Lets a member's entries have the name and the photo of their user, and be hidden where the user is away.
-- $1 group, $2 user, $3 boards. Rows: one. Locks: the member's entries that change; the caller holds the member
-- and the boards.
select follow_user($1, $2, $3)
