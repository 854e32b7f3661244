-- Ends the actor's membership. $1 actor, $2 group. Rows: one, empty. Locks: docs/groups.md.
select from leave_group($1, $2)
