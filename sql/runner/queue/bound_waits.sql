-- Corrects times that a wrong clock of the server has stored, so that they stop nothing after the clock is right: the
-- turn of a rate limit, the heartbeat of a dead worker, and the time since a server process is missing. No correct time
-- exceeds these bounds. Rows: the number of changed rate limits. Locks: the changed rows. The tables are small.
with heartbeat as (
  update worker
  set heartbeat_at = now(), missing_since = null
  where heartbeat_at > now() + interval '10 seconds' or missing_since > now() + interval '10 seconds'
)
update job_limit
set rested_at = now() + burst * start_interval
where rested_at > now() + burst * start_interval + interval '1 second'
