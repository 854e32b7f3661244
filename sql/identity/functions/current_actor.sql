-- The user for whom this transaction speaks: what its claim says; null without one. Where there is a key, only
-- signed claims count, in the setting `baton.claim`; else those of PostgREST. A setting that ended with its
-- transaction reads as ''. Policies ask for (select current_actor()), once a statement. Index: claim_key_pkey.
create or replace function current_actor() returns text
language plpgsql stable security definer set search_path from current as $$
begin
  if (select bool_and(k.id = 0) from claim_key k) then
    return claimed_actor(nullif(current_setting('request.jwt.claims', true), ''));
  end if;
  return signed_actor(nullif(current_setting('baton.claim', true), ''));
end $$;

comment on function current_actor is 'The user for whom this transaction speaks; null: nobody.'
