-- Adds started runs to the rate limit of a job. The caller must have called take_turn. $1 is the job, $2 the number of
-- started runs. Rows: none. Locks: the job's row of job_limit.
update job_limit
set rested_at = greatest(rested_at, clock_timestamp()) + $2::bigint * start_interval
where job = $1 and start_interval is not null
