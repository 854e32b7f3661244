-- Returns the name of the group of dead runs with the given error. The name of a group consists of 16 hexadecimal
-- digits, which reveal no personal data.
-- needs: dead_line
create or replace function dead_group(error text) returns text
language sql immutable parallel safe
return left(encode(sha256(convert_to(dead_line(error), 'UTF8')), 'hex'), 16)
