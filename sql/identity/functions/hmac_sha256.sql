-- Computes the HMAC-SHA256 (RFC 2104) of a message from the two blocks of a key.
create or replace function hmac_sha256(inner_block bytea, outer_block bytea, message bytea) returns bytea
language sql immutable strict parallel safe
return sha256(outer_block || sha256(inner_block || message))
