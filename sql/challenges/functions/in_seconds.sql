-- An interval without days and months: a day becomes 24 hours and a month 30 days, so clock changes of the session's
-- time zone do not matter.
create or replace function in_seconds(length interval) returns interval
language sql immutable parallel safe
return make_interval(secs => extract(epoch from length)::double precision)
