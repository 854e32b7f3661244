-- Who is at a group's place. $1 actor, $2 group. Rows: one, JSON. Locks: none. Index: presence_present.
select presence_snapshot($1, $2)::text
