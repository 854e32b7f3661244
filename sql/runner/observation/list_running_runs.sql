-- Lists at most 51 running runs. $1: the job, or null for all jobs. $2: the id after which the page starts, or null for
-- the first page. Rows: id, job, key, attempts, due time, first event, error, worker. Locks: none. Index: run_running.
select id, job, key, attempt, at, first_event_at, error, worker from list_running_runs($1, $2)
