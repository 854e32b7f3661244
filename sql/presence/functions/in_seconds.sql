-- A length of time without days and months: they are 24 hours and 30 days, whatever the clocks of a
-- session's time zone do.
create or replace function in_seconds(length interval) returns interval
language sql immutable parallel safe
return make_interval(secs => extract(epoch from length)::double precision)
