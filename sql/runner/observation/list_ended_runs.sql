-- Lists at most 51 ended runs, newest first. $1: the job, or null for all jobs. $2: the key prefix, or null for all
-- keys. $3 and $4: the end time (in microseconds since 1970) and the id of the previous page's last run, or null for
-- the first page. Rows: id, job, key, attempts, end, first event, outcome, duration in ms, worker, error, end in
-- microseconds. Locks: none. Indexes: run_history_job, run_history_pkey.
select * from list_ended_runs($1, $2, $3, $4)
