-- Lists at most 51 claimed runs from 4,000 pages of the table `run`. $1 is the job or null for all jobs, $2 the ctid
-- after which the list continues. Rows: id, job, key, attempts, due time, first event, error, worker, ctid. Locks:
-- none. Index: none.
select id, job, key, attempt, at, first_event_at, error, worker, place::text from list_running_runs($1, $2::text::tid)
