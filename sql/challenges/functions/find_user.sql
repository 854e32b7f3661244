-- Returns the user id for an identity provider's subject. If the subject has not signed in yet or the user was deleted,
-- the result is null. The API must have verified the provider's token before the call. Unlike upsert_user, the function
-- does not create a user, so a deleted account's token cannot restore the account. Locks: none. Index: identity_pkey.
create or replace function find_user(provider text, subject text) returns text
language plpgsql stable security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(provider), octet_length(subject)]);
begin
  perform require_read_committed();
  perform check_identity(provider, subject, null, null, null);
  return (
    select i.user_id from identity i
    where i.provider = find_user.provider::auth_provider and i.subject = find_user.subject);
end $$;

comment on function find_user is 'The id of a provider''s subject, or null. Creates no user.'
