-- How many attempts of a run failed in the last ten minutes; at most twenty, because no more are stored. $1 id of the
-- run. Rows: one. Locks: none. Index: failed_attempt_run.
select count(*) from failed_attempt where run_id = $1 and ended_at > now() - interval '10 minutes'
