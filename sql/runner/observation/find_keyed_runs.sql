-- Runs of the job $1 that wait or run and whose keys begin with $2. Rows: id, job, key, state, attempts, due, first
-- event, error, worker; 51 at most. Locks: none. Index: run_pkey.
select * from find_keyed_runs($1, $2)
