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
      -- The UTC offsets are read 50 hours before and 50 hours after the local time `found`.
      earlier := (found - interval '50 hours') at time zone 'UTC' at time zone time_zone - (found - interval '50 hours');
      later := (found + interval '50 hours') at time zone 'UTC' at time zone time_zone - (found + interval '50 hours');
      -- If the local time occurs twice, the larger offset gives the earlier instant.
      candidate := found - greatest(earlier, later);
      if candidate at time zone 'UTC' at time zone time_zone <> found then
        candidate := found - least(earlier, later);
        if candidate at time zone 'UTC' at time zone time_zone <> found then
          -- If the clock skips the local time, `candidate` is the first instant after the clock change.
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
    earlier := start at time zone 'UTC' at time zone time_zone - start;
    candidate := next_cron_minute(fields, date_trunc('minute', start + earlier + interval '59 seconds')) - earlier;
    -- Of the clock changes before `candidate`, only two kinds matter. A change within two days after `start` can repeat
    -- local times up to `start`. A change in the last four days can move `candidate`.
    if candidate - interval '4 days' > start then
      start := coalesce(zone_change(time_zone, start, start + interval '2 days'), candidate - interval '4 days');
    else
      change := zone_change(time_zone, start, candidate);
      if change is null then
        return candidate at time zone 'UTC';
      end if;
      start := change;
    end if;
  end loop;
end $$
