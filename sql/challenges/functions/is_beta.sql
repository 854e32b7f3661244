-- Returns whether the actor belongs to the percentage of users that `setting.beta_share` selects. The first 24 bits of
-- a hash of the user's id are compared with `beta_share` percent of 2^24. The same percentage therefore always selects
-- the same users. If the percentage increases, no users leave the beta.
create or replace function is_beta(actor text) returns boolean
language plpgsql stable security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  hash constant bytea := sha256(convert_to('beta/' || actor, 'UTF8'));
begin
  perform require_actor(actor);
  return (get_byte(hash, 0) * 65536 + get_byte(hash, 1) * 256 + get_byte(hash, 2)) * 100
    < (select beta_share from setting) * 16777216::bigint;
end $$;

comment on function is_beta is 'Whether the actor is one of the share of users for whom a beta is on.'
