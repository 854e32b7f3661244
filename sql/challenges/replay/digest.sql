-- The sha256 of bytes, continued from an earlier one; it identifies a file. $1 earlier, $2 bytes. Rows: one.
-- Locks: none.
select encode(sha256(convert_to($1, 'UTF8') || $2), 'hex')
