-- Lists at most 51 waiting runs, earliest first. $1: the job, or null for all jobs. $2: true for runs that are due now,
-- false for runs that are due later. $3 and $4: the due time (in microseconds since 1970) and the id of the previous
-- page's last run, or null for the first page. Rows: id, job, key, attempts, due time (null if no due time is set),
-- first event, error, due time in microseconds. Locks: none. Indexes: run_ready, run_held.
select id, job, key, attempt, at, first_event_at, error, due_us from list_waiting_runs($1, $2, $3, $4)
