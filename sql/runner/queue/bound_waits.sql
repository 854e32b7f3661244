-- Limits future times that the server stored while its clock was wrong. The statement limits the start times of jobs
-- with a rate limit, and the heartbeats of dead workers. The statement also removes future times at which a worker's
-- server process was first missing. Times that were stored with a correct clock never exceed this statement's limits.
-- Rows: the number of changed starts. Locks: the changed rows. Index: limit_start_newest.
with heartbeat as (
  update worker
  set heartbeat_at = now(), missing_since = null
  where heartbeat_at > now() + interval '10 seconds' or missing_since > now() + interval '10 seconds'
),
-- Workers of the previous release write the `rested_at` column.
earlier as (
  update job_limit set rested_at = null where rested_at > now() + burst * start_interval + interval '1 second'
)
update limit_start s
set rested_at = now() + l.burst * l.start_interval
from job_limit l
where s.job = l.job and s.group_key is null and l.start_interval is not null
  and s.rested_at > now() + l.burst * l.start_interval + interval '1 second'
