-- Creates the key with which the server of a benchmark signs identities. Rows: one row with the key's id, the key, and
-- the login, which is also the role of the users. Locks: see rotate_claim_key.
select key_id, key, current_user::text from rotate_claim_key()
