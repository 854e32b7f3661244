-- Updates a member's entries: they get the name and the photo of the user, and are hidden if the user is away. $1
-- group, $2 user, $3 boards. Rows: one. Locks: the member's entries that change; the caller holds the member and the
-- boards.
select follow_user($1, $2, $3)
