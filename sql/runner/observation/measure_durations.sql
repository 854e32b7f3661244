-- Measures how long the last attempts of a job's 1,000 most recent ended runs took. $1: the job's name. Rows: one row
-- with the number of runs, the end of the oldest run, and p50, p90, p99 and maximum of the durations in microseconds.
-- If the job has no ended runs, the end of the oldest run is null. Locks: none. Index: run_history_job.
select count(*), min(created_at), (percentile_cont(0.5) within group (order by duration_ms) * 1000)::bigint,
  (percentile_cont(0.9) within group (order by duration_ms) * 1000)::bigint,
  (percentile_cont(0.99) within group (order by duration_ms) * 1000)::bigint, max(duration_ms) * 1000
from (
  select created_at, duration_ms from run_history where job = $1 order by created_at desc limit 1000) newest
where duration_ms is not null
