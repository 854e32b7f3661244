-- Returns the text by which dead runs are grouped: the redacted first line of the error, with `#` in place of each
-- number.
-- needs: redacted
create or replace function dead_line(error text) returns text
language sql immutable parallel safe
return regexp_replace(left(redacted(split_part(left(error, 600), e'\n', 1)), 200), '[0-9]+', '#', 'g')
