-- Normalizes a typed code: case, blanks and hyphens are ignored, O is read as 0, I and L as 1. Null for any other text.
create or replace function read_code(typed text) returns text
language sql immutable
return substring(
  translate(upper(translate(left(typed, 100), ' -', '')), 'OIL', '011') from '^[0-9A-HJKMNP-TV-Z]{8}$')
