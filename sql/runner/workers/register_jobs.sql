-- Records that a process has the code of some jobs. $1: the names. Rows: the number of updated jobs. Locks: the rows of
-- these jobs, SKIP LOCKED, because the process that has locked a job also defines or registers it. A job is updated at
-- most once an hour, because the poll reads all versions of the small table.
update job set registered_at = now()
where name = any (array(
  select name from job
  where name = any ($1) and registered_at < now() - interval '1 hour'
  for update skip locked))
