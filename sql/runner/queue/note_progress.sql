-- Resets the failures and crashes of claimed runs, in the transaction of an attempt's first committed step. After a run
-- has committed a step, its earlier failures no longer count. $1: the job's name. $2: the run keys. $3: the fencing
-- token. Rows: none. Locks: the runs, which the check of the token has already locked. Index: run_pkey.
update run set attempt = 1, crashes = 0, batch_limit = 0
where job = $1 and key = any ($2) and state = 'running' and token = $3
  and (attempt > 1 or crashes > 0 or batch_limit <> 0)
