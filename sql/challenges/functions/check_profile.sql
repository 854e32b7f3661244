-- Rejects an invalid name or photo of a user. A null name or photo is accepted. Callers that require a value must check
-- for null. The E prefix makes the regular expression independent of the standard_conforming_strings setting.
create or replace function check_profile(of_whom text, display_name text, photo_url text) returns void
language plpgsql as $$
begin
  if octet_length(display_name) > 256 or display_name ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', format('the name of %s is too long or has control characters', of_whom),
      'Nothing was changed. Send a name of at most 256 bytes.');
  elsif octet_length(photo_url) > 2048 or photo_url !~ '^https://[!-~]+$' then
    perform refuse('invalidInput', format('the photo of %s is no address of https, or too long', of_whom),
      'Nothing was changed. Send an address of at most 2048 bytes, or none.');
  end if;
end $$
