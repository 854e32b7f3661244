-- Whether the actor is one of the share of users that `setting.beta_share` says. By a hash of the id, which is the
-- same for ever: with a larger share nobody goes, with the same one nobody changes. Its first 24 bits are a number
-- from 0 on, of which the share is a part.
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
