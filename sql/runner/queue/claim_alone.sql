-- Claims the longest waiting due run that must be worked alone in its worker process: two workers died while they held
-- it. $1 job, $2 token, $3 worker. Rows: id, key, payload, attempt, due, first event, place, origin, trace; one at
-- most. Locks: the run, SKIP LOCKED. Index: run_ready.
update run r
set state = 'running', attempt = r.attempt + 1, token = $2, worker = $3,
  group_key = coalesce(r.group_key, (select '' from job_limit where job = $1))
where r.ctid = any (array(
  select w.place from due_run w
  where w.job = $1
    and not exists (select from job where name = $1 and paused_at is not null)
    and w.batch_limit = -1 and w.is_free and is_group_full($1, w.group_key) is not true
  order by w.priority, w.due
  limit 1
  for update skip locked))
returning r.id, r.key, r.payload::text, r.attempt, r.due, least(r.first_event_at, r.asked_at),
  r.ctid, r.origin, r.trace
