-- Creates the key with which the server of a bench signs identities. Rows: the key's id, the key, the login that is also
-- the role of users. Locks: see rotate_claim_key.
select key_id, key, current_user::text from rotate_claim_key()
