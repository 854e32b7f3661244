-- Reads the state of each job. At most 10,001 waiting runs of each kind are counted. Rows: one row for each job. The
-- first columns are job, whether the job is paused, concurrency limit or null, longest debounce in ms, numbers of
-- completed runs and batches. The next columns are numbers of due, later and running runs (null if not counted).
-- Further columns are ages in ms of the oldest due run and of the oldest event without backoff. Columns for runs in
-- backoff: number of runs, highest number of failed attempts, age of the oldest event. The next columns are number of
-- workers in which all runs fail, one reason, age of the oldest reason. The age of a missing run or reason is null. The
-- last columns are whether the job is retired, ms since its last registration (null until unregistered_after). Locks:
-- none. Indexes: run_ready, run_split, run_alone, run_held, run_pkey, run_backoff, worker_pkey.
select j.name, j.paused_at is not null, l.concurrency,
  (extract(epoch from greatest(j.at_most, j.every)) * 1000)::bigint,
  coalesce(a.runs, 0), coalesce(a.batches, 0), w.ready, w.delayed, r.running,
  (extract(epoch from now() - w.oldest_due) * 1000)::bigint,
  (extract(epoch from now() - least(w.oldest_write, r.oldest_write)) * 1000)::bigint,
  b.retrying, b.attempts, (extract(epoch from now() - b.oldest_write) * 1000)::bigint,
  f.workers, f.reason, (extract(epoch from now() - f.since) * 1000)::bigint, j.retired_at is not null,
  case when j.registered_at < now() - s.unregistered_after then
    (extract(epoch from now() - j.registered_at) * 1000)::bigint end
from job j
-- ORDER BY lets the planner use an index.
cross join (select unregistered_after from runner_setting order by singleton offset 0) s
left join job_limit l on l.job = j.name
left join job_activity a on a.job = j.name
cross join lateral (
  select count(*) filter (where is_due) as ready, count(*) filter (where not is_due) as delayed,
    min(due) filter (where is_due) as oldest_due,
    min(first_event_at) filter (where backoff_until > now() is not true) as oldest_write
  from (
    values (true, '-infinity'::timestamptz, now()), (false, now(), 'infinity')) t (is_due, low, high),
  lateral (
    select of_priority.*
    from unnest(j.priorities) p (priority), lateral (
      select due, first_event_at, backoff_until from run
      where job = j.name and worker is null and not is_held and batch_limit = 0
        and run.priority = p.priority and due > low and due <= high
      order by due
      limit 10001) of_priority
    union all
    -- A run during which workers have died is claimed alone or in a small batch. If a release could not decode the
    -- payload of a run, another release claims the run.
    (select due, first_event_at, backoff_until from run
    where job = j.name and worker is null and not is_held and batch_limit = -1
      and due > low and due <= high
    limit 10001)
    union all
    (select due, first_event_at, backoff_until from run
    where job = j.name and worker is null and not is_held and batch_limit > 0
      and due > low and due <= high
    limit 10001)
    union all
    (select due, first_event_at, backoff_until from run
    where job = j.name and worker is null and not is_held and batch_limit < -1
      and due > low and due <= high
    limit 10001)
    union all
    select due, first_event_at, backoff_until
    from (select due, first_event_at, backoff_until from run where job = j.name and is_held limit 10001) held
    where due > low and due <= high) waiting
) w
cross join lateral (
  select case when w.ready + w.delayed <= 10000 and count(*) <= 20000 then
      count(worker) end as running,
    min(first_event_at) filter (where backoff_until > now() is not true) as oldest_write
  from (
    select worker, first_event_at, case when worker is null then backoff_until end as backoff_until from run
    where job = j.name and w.ready + w.delayed <= 10000
    limit 20001) beside
) r
cross join lateral (
  select count(*) as retrying, coalesce(max(attempt), 0) as attempts, min(first_event_at) as oldest_write
  from (
    select attempt, first_event_at from run
    where job = j.name and worker is null and backoff_until > now() and attempt > 0
    limit 10001) failed
) b
cross join lateral (
  select count(*) as workers, min(f.reason) as reason, min(f.since) as since
  -- ORDER BY lets the planner use an index.
  from (select common_failures from worker order by id offset 0) w, unnest(w.common_failures) f
  where f.job = j.name
) f
order by j.name
