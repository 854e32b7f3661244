-- Returns the text by which dead runs are grouped: the redacted first line of the error, with `#` in place of each
-- number, UUID and hexadecimal id of 16 digits or more. Ids are replaced before the line is cut, because the cut can
-- be inside an id.
-- needs: redacted
create or replace function dead_line(error text) returns text
language sql immutable parallel safe
return left(regexp_replace(redacted(split_part(left(error, 600), e'\n', 1)),
  '\m([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]*[0-9])[0-9a-f]{16,})\M|[0-9]+', '#', 'gi'), 200)
