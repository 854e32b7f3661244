-- Enqueues runs of a job, with one call per run. The run keys are consecutive numbers. $1: the job's name. $2: the
-- first key. $3: the last key. Rows: one row for each run. Locks: the new events.
select enqueue($1, n::text) from generate_series($2::bigint, $3::bigint) n
