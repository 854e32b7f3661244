-- Whether a beta is on for the actor. $1 actor. Rows: one. Locks: none. Index: users_pkey.
select is_beta($1)
