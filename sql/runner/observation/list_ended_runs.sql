-- Runs that have ended, the newest ahead. $1 job or null, $2 what the key begins with or null, $3 and $4 behind which end
-- in microseconds and id, or nulls. Rows: id, job, key, attempts, ended, made, outcome, ms, worker, error, ended in
-- microseconds; 51 at most. Locks: none. Indexes: run_history_job, run_history_pkey.
select * from list_ended_runs($1, $2, $3, $4)
