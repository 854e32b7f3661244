-- remove_member of the API. $1 actor, $2 group, $3 user. Rows: one. Locks: the group.
select remove_member($1, $2, $3)
