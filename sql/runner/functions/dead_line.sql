-- Returns the text by which dead runs are grouped: the redacted first line of the error, with `#` in place of each
-- number, UUID, hexadecimal number and hexadecimal id of 16 digits or more. Ids are replaced before the line is cut to
-- 200 characters, because the cut can be inside an id.
-- needs: redacted, whole_words
create or replace function dead_line(error text) returns text
language sql immutable parallel safe
return left(regexp_replace(regexp_replace(redacted(split_part(whole_words(error, 600), e'\n', 1)),
  '[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-fA-F]{16,}|0x[0-9a-fA-F]+', '#', 'g'), '[0-9]+', '#', 'g'), 200)
