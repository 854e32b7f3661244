-- Creates the key with which a benchmark's server signs identities. Rows: one row with the key's id, the key, and the
-- login, which is also the users' role. Locks: see rotate_claim_key.
select key_id, key, current_user::text from rotate_claim_key()
