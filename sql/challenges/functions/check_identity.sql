-- Rejects invalid user data from an identity provider. The E prefix makes the regular expression independent of the
-- standard_conforming_strings setting.
create or replace function check_identity(
  provider text, subject text, display_name text, email text, photo_url text
) returns void language plpgsql as $$
begin
  if provider is null or provider not in (select unnest(enum_range(null::auth_provider))::text) then
    perform refuse('invalidInput', format('there is no provider %s', quote_nullable(left(provider, 64))),
      'Nothing was changed. Send apple, google or email.');
  elsif subject is null or octet_length(subject) not between 1 and 256
    or subject ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', 'a user needs a subject of 1 to 256 bytes without control characters',
      'Nothing was changed. Send what the provider calls the user, not the token.');
  elsif octet_length(email) > 320 or email !~ '^[^[:cntrl:][:space:]@]+@[^[:cntrl:][:space:]@]+$' then
    perform refuse('invalidInput', 'the address of a user is none, or too long',
      'Nothing was changed. Send an address of at most 320 bytes, or none.');
  end if;
  perform check_profile('a user', display_name, photo_url);
end $$
