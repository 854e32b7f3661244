-- Rejects an invalid id or name of a group. The E prefix makes the regular expression independent of the
-- standard_conforming_strings setting.
create or replace function check_name(id text, name text) returns void
language plpgsql as $$
begin
  if id is null or octet_length(id) not between 1 and 256 or id ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', 'a group needs an id of 1 to 256 bytes without control characters',
      'Nothing was changed. Send an id that the client made once for this group.');
  elsif name is null or trim(name) = '' or char_length(name) > 100
    or name ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', 'a group needs a name of 1 to 100 characters on one line',
      'Nothing was changed. Ask for another name.');
  end if;
end $$
