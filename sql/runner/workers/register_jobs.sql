-- Records that a process contains the code of the given jobs. $1: the job names. Rows: one row with the number of
-- updated jobs. Locks: the jobs' rows, SKIP LOCKED, because a process that has locked a job also defines or registers
-- the job. Each job is updated at most once an hour. Each update adds a row version, and every poll reads all row
-- versions.
update job set registered_at = now()
where name = any (array(
  select name from job
  where name = any ($1) and registered_at < now() - interval '1 hour'
  for update skip locked))
