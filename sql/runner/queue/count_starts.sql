-- Counts the starts of runs of a job with a rate limit; the caller has the job's turn. $1 job, $2 how many. Rows: none.
-- Locks: the limits' row.
update job_limit
set rested_at = greatest(rested_at, clock_timestamp()) + $2::bigint * start_interval
where job = $1 and start_interval is not null
