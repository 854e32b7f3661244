-- The fence: locks the claimed runs that still carry our token, as the first statement of the work. $1 job, $2 keys,
-- $3 token, $4 how many were claimed. Rows: one; ZB011 if any is missing: the claim was lost to a reclaim and the work
-- must not happen. Locks: the runs. Index: run_pkey.
with locked as (
  select from run
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  for update
)
select check_claim(count(*), $4) from locked
