-- Says what the actor was shown. $1 actor, $2 types. Rows: the types that were new. Locks: those unlocks. Index:
-- unlock_pkey.
select type from acknowledge($1, $2)
