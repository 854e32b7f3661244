-- Converts the days and months of an interval to hours. A day becomes 24 hours and a month becomes 30 days, so the
-- session's time zone has no effect.
create or replace function in_seconds(length interval) returns interval
language sql immutable parallel safe
return make_interval(secs => extract(epoch from length)::double precision)
