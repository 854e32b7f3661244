-- Returns whether a manual run is refused because its job is retired and its key has neither a waiting nor a running
-- run. $1: the job's name. $2: the run's key. Rows: one row with a boolean. Locks: none. Indexes: job_pkey, run_pkey.
select exists (select from job where name = $1 and retired_at is not null)
  and not exists (select from run where job = $1 and key = $2)
