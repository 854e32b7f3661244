-- Ended runs of jobs that keep history, newest first. $1 job or null, $2 how many. Rows: id, job, key, outcome,
-- attempt, ended at and started at (ISO 8601 in UTC), milliseconds, report as JSON, error. Locks: none. Index:
-- run_history_job for one job.
select id, job, key, outcome, attempt,
  iso_text(created_at, '.MS'),
  iso_text(started_at, '.MS'),
  duration_ms, report::text, error
from run_history
where $1::text is null or job = $1
order by created_at desc, id desc
limit $2
