-- Adds the numbers of runs and batches that a worker has completed since its last report. $1: the job names. $2: the
-- numbers of completed runs. $3: the numbers of completed batches. Rows: one row with the number of jobs. Locks: the
-- jobs' rows, in order of name.
insert into job_activity as a (job, last_ran_at, runs, batches)
select job, at, runs, batches
from (select now() as at) moment,
  unnest($1::text[], $2::bigint[], $3::bigint[]) as done (job, runs, batches)
order by job
on conflict (job) do update
set last_ran_at = greatest(a.last_ran_at, excluded.last_ran_at), runs = a.runs + excluded.runs,
  batches = a.batches + excluded.batches
