-- Rejects a text that is empty, too long, or not a single line. The E prefix makes the regular expression independent
-- of the standard_conforming_strings setting.
create or replace function check_text(of_what text, content text, most integer) returns void
language plpgsql as $$
begin
  if content is null or trim(content) = '' or char_length(content) > most
    or content ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', format('%s has to be 1 to %s characters on one line', of_what, most),
      'Nothing was changed. Ask for another text.');
  end if;
end $$
