-- Ended runs, newest first. $1 job or null, $2 how the key begins or null, $3 and $4 the end in microseconds and the id
-- to continue after, or nulls. Rows: id, job, key, attempts, ended, made, outcome, ms, worker, error, ended in
-- microseconds; 51 at most. Locks: none. Indexes: run_history_job, run_history_pkey.
select * from list_ended_runs($1, $2, $3, $4)
