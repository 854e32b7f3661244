-- Claims due runs that failed or crashed in a batch. The batch limit of the runs limits the size of the new batch. If
-- the job limits groups, one run is claimed at a time, because two runs could belong to the same group. $1 is the job,
-- $2 the token, $3 the worker, $4 the maximum number. Rows: id, key, payload, attempt, due time, first event, ctid,
-- origin, trace. Locks: the runs, SKIP LOCKED. Index: run_ready.
with smallest as materialized (
  -- Keys with a running run are skipped, because they could otherwise block runs with larger batch limits.
  select batch_limit from due_run
  where job = $1 and batch_limit > 0 and is_free and is_group_full($1, group_key) is not true
  order by batch_limit
  limit 1
)
update run r
set state = 'running', attempt = r.attempt + 1, token = $2, worker = $3,
  group_key = coalesce(r.group_key, (select '' from job_limit where job = $1))
where r.ctid = any (array(
  select w.place from due_run w
  where w.job = $1
    and not exists (select from job where name = $1 and paused_at is not null)
    and w.batch_limit = (select batch_limit from smallest) and w.is_free
    and is_group_full($1, w.group_key) is not true
  order by w.priority, w.due
  limit (select least(batch_limit, $4,
      (select 1 from job_limit where job = $1 and group_concurrency is not null)) from smallest)
  for update skip locked))
returning r.id, r.key, r.payload::text, r.attempt, r.due, least(r.first_event_at, r.asked_at),
  r.ctid, r.origin, r.trace
