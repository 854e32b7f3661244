-- Checks the fencing token and deletes the claimed runs by key. The statement is used if an UPDATE has moved rows since
-- the claim, because end_claimed cannot find moved rows. $1: the job's name. $2: the run keys. $3: the fencing token.
-- $4: the number of claimed runs. Rows: one row, or error ZB011 if another worker has claimed one of the runs. After
-- error ZB011, the caller must roll back its transaction. Locks: the runs. Index: run_pkey.
with ended as (
  delete from run
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  returning 1
)
select check_claim(count(*), $4) from ended
