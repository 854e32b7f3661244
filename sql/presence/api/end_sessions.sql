-- Signs the actor out everywhere. $1 actor. Rows: one: how many devices. Locks: those rows. Index: session_of_user.
select end_sessions($1)
