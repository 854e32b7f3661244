-- Rejects an invalid push device registration.
create or replace function check_push_device(
  platform text, token text, environment text, locale text, secret text
) returns void language plpgsql as $$
declare
  pattern constant text := case platform
    when 'apns' then '^([0-9a-fA-F]{2}){32,100}$'
    when 'fcm' then '^[A-Za-z0-9_:.-]+$'
    else '^https://[A-Za-z0-9._:-]+(/[!-~]*)?$' end;
begin
  if platform is null or platform not in ('apns', 'fcm', 'webhook') then
    perform refuse('invalidInput', format('there is no platform %s', quote_nullable(left(platform, 64))),
      'Nothing was changed. Send apns, fcm or webhook.');
  elsif environment is null or environment not in ('production', 'sandbox')
    or platform <> 'apns' and environment <> 'production' then
    perform refuse('invalidInput', format('%s has no environment %s', platform, quote_nullable(left(environment, 64))),
      'Nothing was changed. Send production, or sandbox for a development build of apns.');
  elsif locale is null or locale !~ '^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$' or octet_length(locale) > 35 then
    perform refuse('invalidInput', 'the locale is not a language tag of at most 35 bytes',
      'Nothing was changed. Send a tag such as en or pt-BR.');
  elsif token is null or octet_length(token) not between 1 and 2048 or token !~ pattern then
    perform refuse('invalidInput', format('the token is not one of %s', platform),
      'Nothing was changed. Send the token in hexadecimal, the registration token, or an https URL without a user.');
  elsif (platform = 'webhook') <> (secret is not null) or octet_length(secret) not between 32 and 256 then
    perform refuse('invalidInput', 'a webhook needs a secret of 32 to 256 bytes, and other devices have none',
      'Nothing was changed. Send a random text, with which the receiver checks signatures.');
  end if;
end $$
