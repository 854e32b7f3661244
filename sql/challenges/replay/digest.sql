-- Computes the SHA-256 digest of a file's bytes, part by part. $1: the digest of the previous parts. $2: the bytes of
-- the next part. Rows: one row with the digest. Locks: none.
select encode(sha256(convert_to($1, 'UTF8') || $2), 'hex')
