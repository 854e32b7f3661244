-- Converts a timestamp to microseconds since 1970-01-01 00:00 UTC.
create or replace function in_microseconds(instant timestamptz) returns bigint
language sql immutable parallel safe
return (extract(epoch from instant) * 1000000)::bigint
