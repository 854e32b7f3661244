-- Whether a run still runs. $1 its id, $2 its job, $3 its key. Rows: one. Locks: none. Index: run_pkey.
select exists (
  select from run where job = $2 and key = $3 and state = 'running' and id = $1)
