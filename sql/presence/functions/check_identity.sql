-- Rejects invalid user data from an identity provider.
create or replace function check_identity(provider text, subject text) returns void
language plpgsql as $$
begin
  if provider is null
    or provider not in (select unnest(enum_range(null::identity_provider))::text) then
    perform refuse('invalidInput', format('there is no provider %s', quote_nullable(left(provider, 64))),
      'Nothing was changed. Send anonymous, apple, google or email.');
  end if;
  perform check_id('the subject of a provider', subject);
  if provider = 'anonymous' and subject !~ '^[0-9a-f]{64}$' then
    perform refuse('invalidInput', 'the subject of a device is the sha256 of its secret in 64 hexadecimal digits',
      'Nothing was changed. Send the hash of 32 random bytes that the device keeps.');
  end if;
end $$
