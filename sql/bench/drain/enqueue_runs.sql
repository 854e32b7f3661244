-- Enqueues runs of a job, with one call for each run. Numbers are the keys of the runs. $1: the job's name. $2: the
-- first number. $3: the last number. Rows: one row for each run. Locks: the new events.
select enqueue($1, n::text) from generate_series($2::bigint, $3::bigint) n
