-- Returns the stored name of a job. $1: any of the job's names. Rows: one row. If no job has the name, the row contains
-- $1 unchanged. Locks: none. Index: job_alias_pkey.
select coalesce((select job from job_alias where name = $1), $1)
