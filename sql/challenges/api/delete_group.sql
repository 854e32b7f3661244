-- Ends a group. $1 actor, $2 group. Rows: one, empty. Locks: docs/groups.md.
select from delete_group($1, $2)
