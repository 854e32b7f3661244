-- Waiting or running runs whose keys begin with $3. $1 job or null, $2 state or null. Rows: id, job, key, state,
-- attempts, due, first event, error, worker; 51 at most. Locks: none. Index: run_pkey.
select * from find_keyed_runs($1, $2, $3)
