-- Removes another member. $1 actor, $2 group, $3 user. Rows: one, empty. Locks: docs/groups.md.
select from remove_member($1, $2, $3)
