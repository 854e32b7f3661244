-- Corrects times that the server stored while its clock was wrong, so that nothing waits for them after the clock is
-- corrected: the starts of jobs with a rate, the heartbeat of a dead worker, and the time at which a server process
-- was found missing. No correct time exceeds these bounds. Rows: the number of changed starts. Locks: the changed
-- rows. Index: limit_start_newest.
with heartbeat as (
  update worker
  set heartbeat_at = now(), missing_since = null
  where heartbeat_at > now() + interval '10 seconds' or missing_since > now() + interval '10 seconds'
),
-- Written by workers of the previous release.
earlier as (
  update job_limit set rested_at = null where rested_at > now() + burst * start_interval + interval '1 second'
)
update limit_start s
set rested_at = now() + l.burst * l.start_interval
from job_limit l
where s.job = l.job and s.group_key is null and l.start_interval is not null
  and s.rested_at > now() + l.burst * l.start_interval + interval '1 second'
