-- Returns the first occurrence of a schedule after an instant, or null if none follows. `expression` is a cron
-- expression, or `every N s` for the multiples of N seconds since 1970-01-01 00:00 UTC. `time_zone` is the time zone of
-- a cron expression. An invalid expression, a cron expression without a time zone, and a time zone that the server does
-- not recognize are errors (22023). Only this function decides when schedules fire. Locks: none.
-- needs: cron_fields, next_cron_time
create or replace function next_occurrence(expression text, time_zone text, after timestamptz) returns timestamptz
language plpgsql stable as $$
declare
  fields text[];
  seconds bigint;
  instant bigint;
begin
  if after not between timestamptz '4000-01-01 00:00Z BC' and timestamptz '200000-01-01 00:00Z' then
    return null;
  end if;
  if expression ~ '^every [0-9]{1,18} s$' and expression !~ ' 0+ ' then
    seconds := split_part(expression, ' ', 2);
    instant := floor(extract(epoch from after));
    -- For times before 1970, the remainder of `%` is negative.
    return case when seconds <= 1000000000000 then timestamptz 'epoch'
      + (instant - ((instant % seconds) + seconds) % seconds + seconds) * interval '1 second' end;
  end if;
  fields := cron_fields(expression);
  if time_zone is null or cardinality(fields) is distinct from 6 then
    raise exception 'the schedule % is invalid: %', quote_nullable(left(expression, 128)),
        coalesce(case when cardinality(fields) = 1 then left(fields[1], 256) end, 'it has no expression or no time zone')
      using errcode = '22023', hint = 'Remove the schedule, and create it again.';
  end if;
  return next_cron_time(fields, time_zone, after);
end $$
