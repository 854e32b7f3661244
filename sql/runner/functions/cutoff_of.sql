-- Returns the cutoff time for an age, which is the current server time minus the age. In an age, a day is always 24
-- hours and a month is always 30 days, regardless of the session's time zone.
create or replace function cutoff_of(age interval) returns timestamptz
language sql stable
return pg_catalog.now() - make_interval(secs => extract(epoch from age)::double precision);
