-- delete_message of the API. $1 actor, $2 group, $3 id. Rows: one. Locks: those of the function.
select delete_message($1, $2, $3)
