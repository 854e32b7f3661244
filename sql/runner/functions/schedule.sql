-- Creates or replaces a schedule of a job at run time. `name` consists of lower-case letters, digits and hyphens.
-- Exactly one of `cron` and `every` is required. `key` is the key of all the schedule's runs. `missed` is the policy
-- for missed occurrences: skip, once or all. `until` is the last possible occurrence, after which the schedule is
-- deleted. All times are domain times. If the expression or the time zone changes, the first occurrence after the call
-- becomes the next occurrence. A schedule without an occurrence is not stored. The function runs with the definer's
-- privileges. Locks: the schedule's row until COMMIT, so that the schedule does not fire in the meantime. Calls for
-- other schedules do not wait.
-- needs: check_call, check_schedule, iso_text, next_occurrence
create or replace function schedule(job text, name text, cron text default null, every interval default null,
  time_zone text default null, payload jsonb default null, key text default null, missed text default 'once',
  until timestamptz default null)
returns void
language plpgsql security definer set search_path from current as $$
declare
  stored text;
  needs_key boolean;
  retired_at timestamptz;
  expression text;
  zone text;
  place constant text := format(', in the schedule %s of the job %s', quote_nullable(left(name, 64)),
    quote_nullable(left(job, 64)));
begin
  select j.name, j.needs_key, j.retired_at into stored, needs_key, retired_at
  from job j
  where j.name = coalesce((select a.job from job_alias a where a.name = schedule.job), schedule.job);
  if stored is null then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was scheduled. The command `jobs` lists the jobs.';
  end if;
  if retired_at is not null then
    raise exception 'the job % is retired since %', quote_literal(stored), iso_text(retired_at)
      using errcode = 'ZB016', hint = 'Nothing was scheduled. The command `jobs retire --undo` makes it available again.';
  end if;
  perform check_schedule(name, cron, every, time_zone, payload, missed, until, place);
  -- The limit for the payload includes the scheduled_at field, which each firing adds.
  perform check_call(needs_key, key, coalesce(payload, '{}') || '{"scheduled_at": "100000-01-01T00:00:00Z"}',
    null, null, null, place);
  expression := coalesce(array_to_string(array_remove(regexp_split_to_array(cron, e'[ \\t\\n\\v\\f\\r]+'), ''), ' '),
    'every ' || extract(epoch from every)::bigint || ' s');
  zone := case when cron is not null then coalesce(time_zone, 'UTC') end;
  insert into schedule as s (job, name, source, expression, time_zone, missed, payload, key, until, next_at,
    in_development)
  values (stored, name, 'sql', expression, zone, missed, payload, key, until,
    next_occurrence(expression, zone, domain_now()), exists (select from development))
  on conflict on constraint schedule_pkey do update
  set expression = excluded.expression, time_zone = excluded.time_zone, missed = excluded.missed,
    payload = excluded.payload, key = excluded.key, until = excluded.until, in_development = excluded.in_development,
    next_at = case when s.next_at is not null and (s.expression, s.time_zone, s.in_development)
        is not distinct from (excluded.expression, excluded.time_zone, excluded.in_development)
      then s.next_at else excluded.next_at end,
    -- Only older releases store true in is_new.
    is_new = false
  where s.source = 'sql';
  if not found then
    raise exception 'a program declares the schedule % of the job %', quote_literal(name), quote_literal(stored)
      using errcode = 'ZB018', hint = 'Nothing was scheduled. Choose another name, or change the program.';
  end if;
  delete from schedule s
  where s.job = stored and s.name = schedule.name and (s.next_at is null or s.next_at > s.until);
end $$
