-- Returns the instant before which rows are older than the given age. A day of the age is always 24 hours and a month
-- 30 days, regardless of the session's time zone.
create or replace function cutoff_of(age interval) returns timestamptz
language sql stable
return pg_catalog.now() - make_interval(secs => extract(epoch from age)::double precision);
