-- Does the same as end_claimed, but finds the runs by key, for rows whose place has changed since the claim. $1 job, $2
-- keys, $3 token, $4 how many were claimed. Rows: one; ZB011 if any is missing: the claim was lost to a reclaim and the
-- work must not happen. Locks: the runs. Index: run_pkey.
with ended as (
  delete from run
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  returning 1
)
select check_claim(count(*), $4) from ended
