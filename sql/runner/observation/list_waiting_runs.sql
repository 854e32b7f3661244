-- Lists at most 51 runs that are due now ($2 is true) or later ($2 is false), earliest first. $1: the job or null for
-- all jobs. The list continues after $3, a due time in microseconds since 1970, and the id $4. $3 and $4 are null on
-- the first page. Rows: id, job, key, attempts, due time (null if no due time is set), first event, error, due time in
-- microseconds. Locks: none. Indexes: run_ready, run_held.
select id, job, key, attempt, at, first_event_at, error, due_us from list_waiting_runs($1, $2, $3, $4)
