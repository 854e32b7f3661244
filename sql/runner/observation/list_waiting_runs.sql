-- Runs that are due ($2 true), or due later, earliest first. $1 job or null, $3 and $4 the due time in microseconds and
-- the place to continue after, or nulls. Rows: id, job, key, attempts, due (null: at no time), first event, error, due
-- in microseconds, place; 51 at most. Locks: none. Indexes: run_ready, run_held.
select id, job, key, attempt, at, first_event_at, error, due_us, place::text from list_waiting_runs($1, $2, $3, $4::text::tid)
