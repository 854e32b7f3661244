-- Resets the failures and crashes of a claimed run, in the transaction of an attempt's first committed step. Earlier
-- failures must not count against a run that makes progress. $1 is the job, $2 the keys, $3 the token. Rows: none.
-- Locks: the runs, which the check of the token has already locked. Index: run_pkey.
update run set attempt = 1, crashes = 0, batch_limit = 0
where job = $1 and key = any ($2) and state = 'running' and token = $3
  and (attempt > 1 or crashes > 0 or batch_limit <> 0)
