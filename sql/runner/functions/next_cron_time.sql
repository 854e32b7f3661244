-- Returns the first occurrence of a cron expression after an instant, or null if none follows within 400 years.
-- `fields` is the result of cron_fields. docs/guides/schedules.md has the rules for clock changes: an expression with
-- specific hours follows local time, and an expression that matches every hour follows real time. An unknown time zone
-- is an error (22023). Locks: none.
-- needs: next_cron_minute, zone_change
create or replace function next_cron_time(fields text[], time_zone text, after timestamptz) returns timestamptz
language plpgsql stable strict as $$
declare
  start timestamp := date_trunc('second', after at time zone 'UTC');
  minute timestamp;
  found timestamp;
  candidate timestamp;
  change timestamp;
  earlier interval;
  later interval;
begin
  if time_zone = 'UTC' then
    return next_cron_minute(fields, date_trunc('minute', start) + interval '1 minute') at time zone 'UTC';
  end if;
  if position('0' in fields[2]) > 0 then
    minute := date_trunc('minute', after at time zone time_zone) + interval '1 minute';
    loop
      found := next_cron_minute(fields, minute);
      -- A later time on the clock never means an earlier instant. So the first candidate after `after` is the result.
      -- The offsets are compared 50 hours away, which is more than any offset plus a change of one day.
      earlier := (found - interval '50 hours') at time zone 'UTC' at time zone time_zone - (found - interval '50 hours');
      later := (found + interval '50 hours') at time zone 'UTC' at time zone time_zone - (found + interval '50 hours');
      -- The larger offset means the earlier instant, which is the first of two instants with the same time.
      candidate := found - greatest(earlier, later);
      if candidate at time zone 'UTC' at time zone time_zone <> found then
        candidate := found - least(earlier, later);
        if candidate at time zone 'UTC' at time zone time_zone <> found then
          -- The clock skips the time, so the result is the first instant after the change.
          candidate := coalesce(
            zone_change(time_zone, found - interval '50 hours', found + interval '50 hours'), candidate);
        end if;
      end if;
      if found is null or candidate > start then
        return candidate at time zone 'UTC';
      end if;
      minute := found + interval '1 minute';
    end loop;
  end if;
  start := start + interval '1 second';
  loop
    -- Between two changes of the clock, the offset stays the same.
    earlier := start at time zone 'UTC' at time zone time_zone - start;
    candidate := next_cron_minute(fields, date_trunc('minute', start + earlier + interval '59 seconds')) - earlier;
    -- If the candidate is far away, only the changes near it matter.
    if candidate - interval '4 days' > start then
      start := candidate - interval '4 days';
    else
      change := zone_change(time_zone, start, candidate);
      if change is null then
        return candidate at time zone 'UTC';
      end if;
      start := change;
    end if;
  end loop;
end $$
