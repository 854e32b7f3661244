-- Before which instant what is kept for an age is older than that. A day of it is 24 hours and a month 30 days,
-- whatever clocks do in the session's time zone.
create or replace function cutoff_of(age interval) returns timestamptz
language sql stable
return pg_catalog.now() - make_interval(secs => extract(epoch from age)::double precision);
