-- Stores the names of jobs whose runs in a worker all fail for the same reason. A failure that prevents all of the
-- worker's work has an empty job name. $1: the worker's id. $2: the job names. $3: the reasons. $4: the reasons' ages
-- in ms. $5: the failure counts. Rows: 1 affected row, or 0 if the worker was removed as dead. Locks: the worker's row.
-- Index: worker_pkey.
update worker
set common_failures = array(
  select row(job, reason, now() - age * interval '1 millisecond', failures)::common_failure
  from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) as f (job, reason, age, failures)
  order by job)
where id = $1
