-- Converts an instant to microseconds since 1970-01-01 00:00 UTC, the unit in which programs read instants.
create or replace function in_microseconds(instant timestamptz) returns bigint
language sql immutable parallel safe
return (extract(epoch from instant) * 1000000)::bigint
