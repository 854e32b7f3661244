-- Enqueues runs of a job, one call for each. $1: the job. $2 and $3: the first and the last number, which are the keys.
-- Rows: one row for each run. Locks: the new events.
select enqueue($1, n::text) from generate_series($2::bigint, $3::bigint) n
