-- Returns the user in a signed claim with the format 1.KEY.EXPIRES.PID.START.USER.MAC. KEY is the id of the signing
-- key. EXPIRES is the expiry time in seconds since 1970. PID and START identify a server process and its start time
-- (microseconds since 1970). PID and START are empty if the claim is valid in every session. USER is the user's id in
-- hexadecimal. MAC is the HMAC-SHA256 of all text before the last dot. The result is null if the claim is invalid. If
-- PID and START are empty, a claim that expires in more than 30 s is invalid. The function compares the expiry time
-- with clock_timestamp(), because now() does not advance during a long transaction. Index: claim_key_pkey.
create or replace function signed_actor(claim text) returns text
language plpgsql stable as $$
declare
  part text[];
  own_key record;
  seconds_left numeric;
begin
  -- The pattern contains no backslash, because the meaning of a backslash depends on a setting.
  if claim is null or octet_length(claim) > 1024 or claim !~
    '^1[.][0-9]{1,9}[.][0-9]{1,12}[.]([0-9]{1,10}[.][0-9]{1,18}|[.])[.]([0-9a-f]{2})+[.][0-9a-f]{64}$' then
    return null;
  end if;
  part := string_to_array(claim, '.');
  select k.inner_block, k.outer_block into own_key from claim_key k where k.id = part[2]::integer;
  -- The function compares hashes of the MACs, so the duration of the comparison reveals nothing about the MAC. If the
  -- key is missing, the comparison returns null, which does not count as true.
  if (sha256(decode(part[7], 'hex')) = sha256(hmac_sha256(own_key.inner_block, own_key.outer_block,
    convert_to(left(claim, -65), 'UTF8')))) is not true then
    return null;
  end if;
  seconds_left := part[3]::bigint - extract(epoch from clock_timestamp());
  if seconds_left <= 0 then
    return null;
  elsif part[4] = '' then
    if seconds_left > 30 then
      return null;
    end if;
  elsif (part[4]::bigint = pg_backend_pid() and part[5]::bigint = (
    -- If the definer may not see the session's start, the start is null.
    select extract(epoch from a.backend_start) * 1000000
    from pg_stat_get_activity(pg_backend_pid()) a)) is not true then
    return null;
  end if;
  return convert_from(decode(part[6], 'hex'), 'UTF8');
exception when data_exception then
  return null;
end $$
