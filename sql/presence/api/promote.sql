-- promote of the API. $1 actor, $2 group, $3 user. Rows: one. Locks: the group.
select promote($1, $2, $3)
