-- Normalizes a typed invite code. Case, whitespace and hyphens are ignored, O is read as 0, and I and L are read as 1.
-- If the text is not a code, the result is null. The function does not use the database's locale, because upper('i') is
-- not I in every locale.
create or replace function read_code(typed text) returns text
language sql immutable
return substring(
  translate(upper(translate(left(typed, 100), ' -', '') collate "C"), 'OIL', '011') from '^[0-9A-HJKMNP-TV-Z]{16}$')
