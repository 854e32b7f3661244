-- Reads the user in this transaction's identity claim. A server uses this statement to check whether the database
-- accepts its signing key. Rows: one row with the user's id, or null if the database does not accept the identity.
-- Locks: none. Index: claim_key_pkey.
select current_actor()
