-- The instant before which rows are older than an age. A day of the age is 24 hours and a month is 30 days, even if
-- clocks change in the session's time zone.
create or replace function cutoff_of(age interval) returns timestamptz
language sql stable
return pg_catalog.now() - make_interval(secs => extract(epoch from age)::double precision);
