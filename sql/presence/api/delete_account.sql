-- Deletes the account of the actor. $1 actor. Rows: one. Locks: docs/whosthere.md.
select delete_account($1)
