-- Locks the claimed runs and checks the fencing token, as the first statement of the work's transaction. $1: the job's
-- name. $2: the run keys. $3: the fencing token. $4: the number of claimed runs. Rows: one row, or error ZB011 if
-- another worker has claimed one of the runs. After error ZB011, the caller must not perform the work. Locks: the runs.
-- Index: run_pkey.
with locked as (
  select from run
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  for update
)
select check_claim(count(*), $4) from locked
