-- Rejects invalid arguments of the `schedule` function. Many schedules fire together, so one schedule with invalid
-- arguments would also prevent the others from firing. `place` is appended to each error message, and names the
-- schedule. Locks: none.
-- needs: cron_fault, is_time_zone
create or replace function check_schedule(name text, cron text, every interval, time_zone text, payload jsonb,
  missed text, until timestamptz, place text)
returns void
language plpgsql as $$
declare
  fault text := cron_fault(cron);
begin
  if name is null or name !~ '^[a-z0-9-]{1,63}$' then
    raise exception 'the name of a schedule has 1 to 63 lower-case letters, digits and -%', place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. Give such a name, for example the id of a tenant.';
  end if;
  if (cron is null) = (every is null) then
    raise exception 'a schedule has either a cron expression or an interval%', place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. Give either `cron` or `every`.';
  end if;
  if fault is not null then
    raise exception 'the cron expression % is invalid: %', quote_literal(left(cron, 128)), left(fault, 256) || place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. Correct the expression, for example ''0 6 * * mon''.';
  end if;
  if extract(year from every) <> 0 or extract(month from every) <> 0 or every < '1 second' or every > '3650 days'
    or extract(epoch from every) <> trunc(extract(epoch from every)) then
    raise exception 'an interval is whole seconds, at least 1 second, at most 3650 days, without months; not %',
        every || place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. For months and years, give `cron`.';
  end if;
  if time_zone is not null and cron is null then
    raise exception 'an interval has no time zone%', place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. Leave out `time_zone`, or give `cron`.';
  end if;
  -- Abbreviations such as CET are rejected, because they do not define when clocks change.
  if time_zone <> 'UTC' and (time_zone ~ '^(right|posix)/'
    or time_zone !~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z][A-Za-z0-9_+-]*)+$' or not is_time_zone(time_zone)) then
    raise exception 'there is no time zone %', quote_literal(left(time_zone, 64)) || place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. Give a name such as Europe/Berlin, or UTC.';
  end if;
  if missed is null or missed not in ('skip', 'once', 'all') then
    raise exception 'the policy for missed occurrences is skip, once or all, not %',
        quote_nullable(left(missed, 64)) || place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. Leave out `missed` for `once`.';
  end if;
  if jsonb_typeof(payload) <> 'object' then
    raise exception 'the payload of a schedule is a JSON object, not %', jsonb_typeof(payload) || place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. Each run gets the object and the field scheduled_at.';
  end if;
  if until <= domain_now() or until >= timestamptz '10000-01-01 00:00Z' then
    raise exception 'a schedule ends after now and before the year 10000, not at %', until || place
      using errcode = 'ZB017', hint = 'Nothing was scheduled. Leave out `until` for a schedule that does not end.';
  end if;
end $$
