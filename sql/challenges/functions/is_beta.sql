-- Whether the actor is in the share of users that `setting.beta_share` sets. It depends on a hash of the id, which
-- never changes: if the share grows, no user leaves the beta, and with the same share the users stay the same. The
-- first 24 bits of the hash are a number, which is compared with the same share of 2^24.
create or replace function is_beta(actor text) returns boolean
language plpgsql stable security definer set search_path from current as $$
declare
  hash constant bytea := sha256(convert_to('beta/' || actor, 'UTF8'));
begin
  perform require_actor(actor);
  return (get_byte(hash, 0) * 65536 + get_byte(hash, 1) * 256 + get_byte(hash, 2)) * 100
    < (select beta_share from setting) * 16777216::bigint;
end $$;

comment on function is_beta is 'Whether the actor is one of the share of users for whom a beta is on.'
