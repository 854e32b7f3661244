-- Returns the text by which dead runs are grouped. The text is the redacted first line of the error, in which each
-- number is replaced with `#`.
-- needs: redacted
create or replace function dead_line(error text) returns text
language sql immutable parallel safe
return regexp_replace(left(redacted(split_part(left(error, 600), e'\n', 1)), 200), '[0-9]+', '#', 'g')
