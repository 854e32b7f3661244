-- Rejects a photo URL that a device could not load. A null URL is accepted.
create or replace function check_photo(photo_url text) returns void
language plpgsql as $$
begin
  if octet_length(photo_url) > 2048 or photo_url !~ '^https://[!-~]+$' then
    perform refuse('invalidInput', 'the photo of a user is no address of https, or too long',
      'Nothing was changed. Send an address of at most 2048 bytes, or none.');
  end if;
end $$
