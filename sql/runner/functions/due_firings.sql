-- Locks due schedules, and decides which occurrences fire. `jobs` are the jobs that the caller knows. `mark_jobs` and
-- `marks` are the jobs and the due times at which the search starts, as returned by an earlier poll. Returns schedules
-- until their total cost reaches `most`. The cost is 1 for each schedule, and 1 for each of its fired or skipped
-- occurrences. Each full 2 KB of payload adds 1 for each fired occurrence. `number` is a schedule's position among the
-- due schedules of its job. At most 500 schedules per job are locked. The jobs take turns, so that no job waits for
-- another's backlog. A schedule that cannot be computed, for example because its time zone is unknown, is left out.
-- Locks: the schedules, SKIP LOCKED, because another worker may already be firing one. Index: schedule_due.
-- needs: check_call, is_time_zone, schedule_firing
create or replace function due_firings(jobs text[], mark_jobs text[], marks timestamptz[], most bigint)
returns table (job_name text, schedule_name text, is_interval boolean, policy text, run_key text, fired timestamptz[],
  skipped timestamptz[], following timestamptz, number bigint, cost bigint)
language plpgsql as $$
declare
  due record;
  total bigint := 0;
  unreadable text[] := '{}';
  known integer;
begin
  -- If a search finds only schedules that cannot be computed, the next search excludes them.
  for search in 1..8 loop
    known := cardinality(unreadable);
    for due in
      select s.*, j.delay, coalesce(pg_column_size(s.payload), 0) as payload_bytes,
        row_number() over (partition by s.job order by s.next_at) as number
      from (
        select job.name,
          coalesce(m.due, (select o.due from unnest(mark_jobs, marks) o (job, due) where o.job = '*'),
            '-infinity') as front,
          least(extract(epoch from coalesce(d.delay, '0'))::double precision, 31000000000) * interval '1 second' as delay
        from job
        left join schedule_delay d on d.job = job.name
        left join unnest(mark_jobs, marks) m (job, due) on m.job = job.name
        -- Retired jobs are excluded, because `enqueue` would refuse their runs.
        where job.name = any (jobs) and job.retired_at is null
          and not exists (select from development where not fires_schedules)
      ) j,
      lateral (
        select * from schedule
        where job = j.name and in_development = exists (select from development) and paused_at is null
          and next_at is not null and next_at >= j.front and next_at <= domain_now() - j.delay
          and expression || ' ' || coalesce(time_zone, '') <> all (unreadable)
          and coalesce(time_zone, '') <> all (unreadable)
        order by next_at
        limit 500
        for update skip locked) s
      order by row_number() over (partition by s.job order by s.next_at), s.job
    loop
      if total >= most then
        return;
      end if;
      continue when due.time_zone = any (unreadable)
        or due.expression || ' ' || coalesce(due.time_zone, '') = any (unreadable);
      begin
        select f.fired, f.skipped, f.following into fired, skipped, following
        from schedule_firing(due.expression, due.time_zone, due.missed, due.next_at, due.until, due.delay,
          domain_now()) f;
        perform check_call(false, null, coalesce(due.payload, '{}') || '{"scheduled_at": "100000-01-01T00:00:00Z"}',
          null, null, null);
      exception
        when invalid_parameter_value then
          unreadable := unreadable || case when is_time_zone(due.time_zone) is false then due.time_zone
            else due.expression || ' ' || coalesce(due.time_zone, '') end;
          continue;
        -- ZB007: `enqueue` would refuse the payload, and the error would undo the firing of all schedules.
        when sqlstate 'ZB007' then
          skipped := skipped || fired;
          fired := '{}';
      end;
      job_name := due.job;
      schedule_name := due.name;
      is_interval := due.time_zone is null;
      policy := due.missed;
      run_key := due.key;
      number := due.number;
      cost := 1 + cardinality(skipped) + cardinality(fired) * (1 + due.payload_bytes / 2048);
      total := total + cost;
      return next;
    end loop;
    exit when total > 0 or cardinality(unreadable) = known;
  end loop;
end $$
