-- Creates the key with which the demo's API signs the identities of users. Rows: one row with the id and the key. Locks: the
-- table claim_key.
select key_id, key from rotate_claim_key()
