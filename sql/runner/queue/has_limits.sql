-- Returns whether a job has limits. $1: the job's name. Rows: one row with a boolean. Locks: none. Index: job_limit_pkey.
select exists (select from job_limit where job = $1)
