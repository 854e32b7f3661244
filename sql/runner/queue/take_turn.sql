-- Waits until no other transaction claims runs of a job with limits. Until COMMIT, only this transaction may count and
-- claim runs of the job. No advisory lock is used, because any login could acquire it. A separate statement must count
-- the runs, so that it sees the claims of the previous transaction. $1: the job's name. Rows: one row. Locks: the job's
-- row in job_limit, until the transaction ends.
select from job_limit where job = $1 for no key update
