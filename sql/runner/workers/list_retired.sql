-- Lists retired jobs. $1: the jobs in question. Rows: the names. Locks: none. Index: job_pkey.
select name from job where retired_at is not null and name = any ($1) order by name
