-- leave_group of the API. $1 actor, $2 group. Rows: one. Locks: the group.
select leave_group($1, $2)
