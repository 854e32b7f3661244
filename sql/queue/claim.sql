-- Takes due runs of one job, counts the attempt and puts the fence token on them.
-- $1 job, $2 how many, $3 token, $4 worker, $5 the earliest due worth looking at.
-- Rows: key, payload, attempt. Locks: the runs, SKIP LOCKED. Index: run_ready from $5 on, because
-- what is left of finished runs stands at its low end for as long as any old transaction is open.
update run r
set state = 'running', attempt = r.attempt + 1, token = $3, worker = $4
where r.ctid = any (array(
  select w.ctid from run w
  where w.job = $1 and w.state = 'ready'
    and not exists (select from job where name = $1 and paused_at is not null)
    and w.batch_limit = 0
    and w.due >= $5 and w.due <= now()
    and not exists (
      select from run b where b.job = w.job and b.key = w.key and b.state = 'running')
  order by w.due
  limit $2
  for update skip locked))
returning r.key, r.payload::text, r.attempt, r.due
