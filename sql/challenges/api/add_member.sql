-- Adds a user to a group without an invite. Only the server may execute this statement. $1: the group's id. $2: the
-- user's id. $3: the user's name. $4: the URL of the user's photo. Rows: one empty row. Locks: see
-- docs/gymrats/groups.md.
select from add_member($1, $2, $3, $4)
