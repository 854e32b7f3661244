-- Makes a user a member without an invite; for the server. $1 group, $2 user, $3 name, $4 photo. Rows: one, empty.
-- Locks: docs/gymrats/groups.md.
select from add_member($1, $2, $3, $4)
