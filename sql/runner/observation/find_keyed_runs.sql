-- Lists at most 51 waiting and running runs whose keys have the given prefix. $1: the job, or null for all jobs. $2:
-- the state, or null for waiting and running runs. $3: the key prefix. Rows: id, job, key, state, attempts, due time,
-- first event, error, worker. Locks: none. Index: run_pkey.
select * from find_keyed_runs($1, $2, $3)
