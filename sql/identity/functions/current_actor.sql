-- Returns the user in this transaction's identity claim, or null for an anonymous caller. If a signing key exists, only
-- signed claims in the `baton.claim` setting are valid. If no signing key exists, the function accepts unsigned claims
-- from PostgREST. An empty setting means "no claim", because a transaction-local setting becomes '' after the
-- transaction. Policies call (select current_actor()), so that the function runs once per statement. Index:
-- claim_key_pkey.
create or replace function current_actor() returns text
language plpgsql stable security definer set search_path from current as $$
begin
  if (select bool_and(k.id = 0) from claim_key k) then
    return claimed_actor(nullif(current_setting('request.jwt.claims', true), ''));
  end if;
  return signed_actor(nullif(current_setting('baton.claim', true), ''));
end $$;

comment on function current_actor is 'The user for whom this transaction acts; null: anonymous.'
