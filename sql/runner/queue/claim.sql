-- Claims a job's due runs with the job's own priority, increments their attempts and stores the fencing token. The
-- statement does not claim runs of jobs with limits, which need claim_by_priority or claim_by_group. $1: the job's
-- name. $2: the maximum number of runs. $3: the fencing token. $4: the worker's id. $5: true to skip keys with a
-- running run. If $5 is false, a key with a running run causes error 23505 or 55P03. $6 and $7: the due time and the id
-- where the search begins. Rows: the columns of the claimed_run fragment. Locks: the claimed runs, SKIP LOCKED. Index:
-- run_ready from $6 and $7 on. The index may contain many entries of completed runs with due times earlier than $6.
update run r
set state = 'running', attempt = r.attempt + 1, token = $3, worker = $4, claim_number = default
where r.ctid = any (array(
  select w.place from due_run w
  where w.job = $1
    and not exists (select from job where name = $1 and paused_at is not null)
    and not exists (select from job_limit where job = $1)
    and w.batch_limit = 0 and w.priority = (select priority from job where name = $1) 
    and (w.due, w.id) >= ($6, $7) and (not $5 or w.is_free)
  order by w.due, w.id
  limit $2
  for update skip locked))
returning
  -- include: claimed_run
