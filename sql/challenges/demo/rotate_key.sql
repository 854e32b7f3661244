-- Creates the key that the demo's API uses to sign user identities. Rows: one row with the id and the key. Locks: the
-- claim_key table.
select key_id, key from rotate_claim_key()
