-- Resets the failures of a claimed run, in the transaction of the first committed step of an attempt: the run makes
-- progress, so earlier failures do not count against the next attempts. $1 job, $2 keys, $3 token. Rows: none. Locks:
-- the runs, which the fence has locked. Index: run_pkey.
update run set attempt = 1, crashes = 0, batch_limit = 0
where job = $1 and key = any ($2) and state = 'running' and token = $3
  and (attempt > 1 or crashes > 0 or batch_limit <> 0)
