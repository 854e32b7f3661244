-- The user that this transaction acts for, from its claim; null means anonymous. If there is a key, only signed claims
-- count, in the setting `baton.claim`; else the claims of PostgREST count. A setting that ended with its transaction
-- reads as ''. Policies write (select current_actor()), so that it runs once per statement. Index: claim_key_pkey.
create or replace function current_actor() returns text
language plpgsql stable security definer set search_path from current as $$
begin
  if (select bool_and(k.id = 0) from claim_key k) then
    return claimed_actor(nullif(current_setting('request.jwt.claims', true), ''));
  end if;
  return signed_actor(nullif(current_setting('baton.claim', true), ''));
end $$;

comment on function current_actor is 'The user for whom this transaction acts; null: anonymous.'
