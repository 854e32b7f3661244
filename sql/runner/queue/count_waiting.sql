-- Counts the runs of the given jobs that are in backoff or snoozed. $1: the job names. Rows: one row with the number of
-- runs, and the ms until the first of these runs is due (null if no run is waiting). Locks: none. Index: run_backoff.
select count(*), (extract(epoch from min(backoff_until) - now()) * 1000)::bigint
from run
where job = any ($1) and worker is null and backoff_until > now()
