-- Creates and returns a new key for signing identity claims. No other call returns the key. The previous key stays
-- valid until the next rotation. Older keys are deleted, and unsigned claims become invalid. Only the owner role may
-- call this function, because a caller with a key can act as any user. Locks: the claim_key table, to block concurrent
-- rotations.
create or replace function rotate_claim_key(secret bytea default null)
returns table (key_id integer, key text)
language plpgsql set search_path from current as $$
declare
  -- One random UUID would not be sufficient, because it contains only 122 random bits.
  chosen constant bytea := coalesce(secret, sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
  new_id integer;
begin
  perform require_read_committed();
  if octet_length(chosen) < 32 then
    raise exception 'a key of % bytes is too short', octet_length(chosen)
      using errcode = '22023',
        hint = 'Nothing was changed. Give 32 random bytes, or none: then the server makes them.';
  end if;
  lock table claim_key in share row exclusive mode;
  new_id := coalesce((select max(k.id) from claim_key k), 0) + 1;
  delete from claim_key k where k.id < greatest(new_id - 1, 1);
  insert into claim_key (id, inner_block, outer_block)
  values (new_id, hmac_block(chosen, x'3636363636363636'::bigint),
    hmac_block(chosen, x'5c5c5c5c5c5c5c5c'::bigint));
  return query select new_id, encode(chosen, 'hex');
end $$
