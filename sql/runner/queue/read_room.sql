-- Returns how many runs of a job with limits may start now. The caller must have called take_turn. $1 is the job. Rows:
-- one row with the number, or null if the number is not limited. Locks: none. Index: run_limited.
select claim_room($1)
