-- How many runs of a job with limits may start now; the caller has its turn. $1 job.
-- Rows: one, null where any number may. Locks: none. Index: run_limited.
select claim_room($1)
