-- Running runs that a worker has claimed, on 4,000 pages of the table. $1 job or null, $2 the place to continue after.
-- Rows: id, job, key, attempts, due, first event, error, worker, place; 51 at most. Locks: none. Index: none, pages.
select id, job, key, attempt, at, first_event_at, error, worker, place::text from list_running_runs($1, $2::text::tid)
