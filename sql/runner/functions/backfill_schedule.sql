-- For a schedule that was made at run time, fires the occurrences in a time range. The range excludes `to_time`. Each
-- occurrence is a separate call to `enqueue`. Occurrences that have already fired, and occurrences after the schedule's
-- end or after now, do not fire. Returns the times of the fired occurrences, oldest first. If the schedule has no key,
-- the key of each call contains the occurrence's time and the schedule's name. At most 10,000 occurrences can be in the
-- range. A second call with the same range fires only occurrences that were not due before. Privileges: those of the
-- definer. Errors: ZB016 (retired job), ZB017 (invalid range), ZB018 (no such schedule, or a program declares it).
-- Locks: the new rows of the occurrences, and the schedule's row, so that the schedule does not fire before COMMIT.
-- needs: enqueue, iso_text, occurrences_between, require_made_schedule
create or replace function backfill_schedule(job text, name text, from_time timestamptz, to_time timestamptz)
returns setof timestamptz
language plpgsql security definer set search_path from current as $$
declare
  most constant integer := 10000;
  stored constant text := require_made_schedule(job, name);
  target schedule;
  due timestamptz[];
begin
  if (from_time < to_time and isfinite(from_time) and isfinite(to_time)) is not true then
    raise exception 'the range of a backfill has a start and a later end, not % and %', quote_nullable(from_time::text),
        quote_nullable(to_time::text)
      using errcode = 'ZB017', hint = 'Nothing was enqueued. Give a `to_time` after `from_time`.';
  end if;
  select * into target from schedule s where s.job = stored and s.name = backfill_schedule.name;
  due := occurrences_between(target.expression, target.time_zone, from_time - interval '1 microsecond',
    least(to_time - interval '1 microsecond', target.until, domain_now()), most + 1);
  if cardinality(due) > most then
    raise exception 'the range contains more than % occurrences of the schedule % of the job %', most,
        quote_literal(target.name), quote_literal(stored)
      using errcode = 'ZB017', hint = 'Nothing was enqueued. Split the range into several calls.';
  end if;
  return query
    with recorded as (
      insert into occurrence as o (job, name, scheduled_at, fired_at, outcome)
      select stored, target.name, d, domain_now(), 'backfilled' from unnest(due) d order by d
      on conflict on constraint occurrence_pkey do update
      set outcome = 'backfilled', fired_at = excluded.fired_at
      where o.outcome = 'skipped'
      returning o.scheduled_at
    ),
    called as materialized (
      select r.scheduled_at, enqueue(stored,
        coalesce(target.key, iso_text(r.scheduled_at) || '/' || target.name),
        coalesce(target.payload, '{}') || jsonb_build_object('scheduled_at', iso_text(r.scheduled_at)))
      from (select scheduled_at from recorded order by scheduled_at) r
    )
    select c.scheduled_at from called c order by c.scheduled_at;
end $$
