-- Lists ended runs of jobs that store history, newest first. $1: the job, or null for all jobs. $2: the maximum number
-- of runs. Rows: id, job, key, outcome, attempt, end and start as ISO 8601 in UTC, duration in ms, report as JSON,
-- error. Locks: none. Index: run_history_job, if $1 is not null.
select id, job, key, outcome, attempt,
  iso_text(created_at, '.MS'),
  iso_text(started_at, '.MS'),
  duration_ms, report::text, error
from run_history
where $1::text is null or job = $1
order by created_at desc, id desc
limit $2
