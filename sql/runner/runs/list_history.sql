-- Runs that have ended, of jobs that keep history, newest first. $1 job or null, $2 how many.
-- Rows: id, job, key, outcome, attempt, ended at and started at (ISO 8601 in UTC), milliseconds,
-- report as JSON, error. Locks: none. Index: run_history_job for one job.
select id, job, key, outcome, attempt,
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  duration_ms, report::text, error
from run_history
where $1::text is null or job = $1
order by created_at desc, id desc
limit $2
