-- Converts microseconds since 1970-01-01 00:00 UTC to an instant. The result is exact, also for instants after the year
-- 2255. PostgreSQL multiplies an interval by a double precision number, so hours and the rest are multiplied separately.
create or replace function instant_of(microseconds bigint) returns timestamptz
language sql stable parallel safe
return timestamptz 'epoch' + (microseconds / 3600000000) * interval '1 hour'
  + (microseconds % 3600000000) * interval '1 microsecond';
