-- Lists which of the given jobs are retired. $1: the job names. Rows: the names of the retired jobs. Locks: none.
-- Index: job_pkey.
select name from job where retired_at is not null and name = any ($1) order by name
