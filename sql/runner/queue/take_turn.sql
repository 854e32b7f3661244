-- Waits until no other transaction claims runs of a job with limits. Until COMMIT, only this transaction may count and
-- claim runs of the job. An advisory lock is not used, because any login could acquire an advisory lock. A separate
-- statement must count the runs, so that it sees the claims of the previous transaction. $1: the job's name. Rows: one
-- row. Locks: the row of the job in job_limit, until the end of the transaction.
select from job_limit where job = $1 for no key update
