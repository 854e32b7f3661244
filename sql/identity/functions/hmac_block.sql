-- Pads a key to a 64-byte block for HMAC (RFC 2104), and XORs each byte with the byte in `mask`. A key of more than 64
-- bytes is first replaced by its SHA-256 hash.
create or replace function hmac_block(key bytea, mask bigint) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
  digits constant text := rpad(
    encode(case when octet_length(key) > 64 then sha256(key) else key end, 'hex'), 128, '0');
  block bytea := '';
begin
  for i in 0..7 loop
    block := block || int8send(('x' || substr(digits, 16 * i + 1, 16))::bit(64)::bigint # mask);
  end loop;
  return block;
end $$
