-- The fence: locks the claimed runs that still carry our token, first thing in the work.
-- $1 job, $2 keys, $3 token. Rows: one: how many. Locks: the runs. Index: run_pkey.
-- Fewer than were claimed means the claim was lost to a reclaim: the work must not happen.
select count(*)
from (
  select from run
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  for update
) locked
