-- Normalizes a typed code. Case, whitespace and hyphens are ignored, O is read as 0, and I and L are read as 1. The
-- result is null for any other text. The result does not depend on the database's locale, in which the upper case of
-- i may differ from I.
create or replace function read_code(typed text) returns text
language sql immutable
return substring(
  translate(upper(translate(left(typed, 100), ' -', '') collate "C"), 'OIL', '011') from '^[0-9A-HJKMNP-TV-Z]{16}$')
