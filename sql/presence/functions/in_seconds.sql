-- Converts an interval to an interval without days and months. A day becomes 24 hours and a month 30 days, so clock
-- changes in the session's time zone have no effect.
create or replace function in_seconds(length interval) returns interval
language sql immutable parallel safe
return make_interval(secs => extract(epoch from length)::double precision)
