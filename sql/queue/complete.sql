-- Ends the claimed runs, in the transaction of their work. Deleting is cheaper than marking.
-- $1 job, $2 keys, $3 token, $4 how many were claimed. Rows: one; ZB011 where any is missing.
-- Locks: the runs, held since lock_claimed. Index: run_pkey.
with ended as (
  delete from run
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  returning 1
)
select check_claim(count(*), $4) from ended
