-- The payload that a run of one key would have now: that of its ready run, else, for a run started by hand, that of its
-- schedule. $1 job, $2 key. Rows: the payload as JSON or null; none if there is neither. Locks: none. Index: run_pkey.
select payload::text from run where job = $1 and key = $2 and state = 'ready'
union all
select payload::text from schedule
where job = $1 and $2 = rtrim('scheduled/' || name, '/')
  and not exists (select from run where job = $1 and key = $2 and state = 'ready')
