-- The text by which dead runs are grouped: the first line of an error, without what differs from run to run. Numbers
-- become `#`.
-- needs: redacted
create or replace function dead_line(error text) returns text
language sql immutable parallel safe
return regexp_replace(redacted(left(split_part(left(error, 400), e'\n', 1), 200)), '[0-9]+', '#', 'g')
