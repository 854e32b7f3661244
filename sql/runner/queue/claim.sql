-- Claims due runs of one job that have the job's own priority, counts the attempt and stores the fence token. If the
-- job has limits it claims none: claim_by_priority and claim_by_group do that. $1 job, $2 how many, $3 token, $4
-- worker, $5 the earliest due time that is read, $6 whether to skip keys that run; false: a running key is an error of
-- the primary key (23505, 55P03). Rows: id, key, payload, attempt, due, first event, place, origin, trace. Locks: the
-- runs, SKIP LOCKED. Index: run_ready from $5 on, because entries of ended runs remain at its low end while an old
-- transaction is open.
update run r
set state = 'running', attempt = r.attempt + 1, token = $3, worker = $4
where r.ctid = any (array(
  select w.place from due_run w
  where w.job = $1
    and not exists (select from job where name = $1 and paused_at is not null)
    and not exists (select from job_limit where job = $1)
    and w.batch_limit = 0 and w.priority = (select priority from job where name = $1) and w.due >= $5 and (not $6 or w.is_free)
  order by w.due
  limit $2
  for update skip locked))
returning r.id, r.key, r.payload::text, r.attempt, r.due, least(r.first_event_at, r.asked_at),
  r.ctid, r.origin, r.trace
