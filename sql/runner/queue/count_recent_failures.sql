-- Counts the failed attempts of a run in the last ten minutes, excluding snoozes. At most twenty failures and twenty
-- snoozes of each run are stored. $1: the run's id. Rows: one row with the number of failed attempts. Locks: none. Index:
-- failed_attempt_run. Attempts with a future time do not count, because the server's clock was wrong when they were
-- recorded.
select count(*) from failed_attempt
where run_id = $1 and not is_snooze and ended_at > now() - interval '10 minutes' and ended_at <= now() + interval '1 second'
