-- Returns the first `most` characters of a text, without an incomplete last word. Otherwise, the cut could remove the
-- `@` of an address, and redacted() would not recognize the rest of the address. At most 256 characters are removed,
-- so that something remains of a text without whitespace.
create or replace function whole_words(original text, most integer) returns text
language sql immutable parallel safe
return case when substr(original, most + 1, 1) = '' then original
  else left(original, most - 256) || coalesce(substring(substr(original, most - 255, 256) from '^.*\s'), '') end
