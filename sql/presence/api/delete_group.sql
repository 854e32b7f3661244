-- delete_group of the API. $1 actor, $2 group. Rows: one. Locks: the group.
select delete_group($1, $2)
