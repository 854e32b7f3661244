-- Makes a member an admin. $1 actor, $2 group, $3 user. Rows: one, empty. Locks: docs/groups.md.
select from promote($1, $2, $3)
