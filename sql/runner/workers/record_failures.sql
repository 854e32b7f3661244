-- Stores the names of jobs for which all runs in a worker fail for the same reason. A failure that prevents all work of
-- the worker has an empty job name. $1: the id of the worker. $2: the names of the jobs. $3: the reasons. $4: the ages
-- of the reasons in ms. $5: the numbers of failures. Rows: 1 affected row, or 0 if the worker was removed as dead.
-- Locks: the row of the worker. Index: worker_pkey.
update worker
set common_failures = array(
  select row(job, reason, now() - age * interval '1 millisecond', failures)::common_failure
  from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as f (job, reason, age, failures)
  order by job)
where id = $1
