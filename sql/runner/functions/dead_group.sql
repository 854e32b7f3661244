-- The name of the group of dead runs with this error: 16 hexadecimal digits, which reveal nothing about a person.
-- needs: dead_line
create or replace function dead_group(error text) returns text
language sql immutable parallel safe
return left(encode(sha256(convert_to(dead_line(error), 'UTF8')), 'hex'), 16)
