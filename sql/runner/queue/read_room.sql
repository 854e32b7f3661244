-- How many runs of a job with limits may start now; the caller has the job's turn. $1 job. Rows: one, null if any
-- number may start. Locks: none. Index: run_limited.
select claim_room($1)
