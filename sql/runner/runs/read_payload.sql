-- Returns the payload that a new attempt for a key would have. The payload is that of the key's ready run. If the key
-- has no ready run, the payload of the key's schedule is returned. $1: the job. $2: the key. Rows: one row with the
-- payload as JSON or null, or none if the key has no ready run and no schedule. Locks: none. Index: run_pkey.
select payload::text from run where job = $1 and key = $2 and state = 'ready'
union all
select payload::text from schedule
where job = $1 and $2 = rtrim('scheduled/' || name, '/')
  and not exists (select from run where job = $1 and key = $2 and state = 'ready')
