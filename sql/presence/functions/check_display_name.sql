-- Rejects a display name that is empty, too long, or not a single line of text. The E prefix makes the regular
-- expression independent of the standard_conforming_strings setting.
create or replace function check_display_name(name text) returns void
language plpgsql as $$
begin
  if name is null or trim(name) = '' or octet_length(name) > 256 or name ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', 'the name of a user has to be 1 to 256 bytes on one line',
      'Nothing was changed. Ask for another name.');
  end if;
end $$
