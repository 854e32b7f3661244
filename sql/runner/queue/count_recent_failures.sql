-- Counts the failed attempts of a run in the last ten minutes, without snoozes. At most twenty attempts are stored for
-- each run. $1 is the id of the run. Rows: one row with the number. Locks: none. Index: failed_attempt_run. Attempts in
-- the future were recorded while the server's clock was wrong, so they do not count.
select count(*) from failed_attempt
where run_id = $1 and not is_snooze and ended_at > now() - interval '10 minutes' and ended_at <= now() + interval '1 second'
