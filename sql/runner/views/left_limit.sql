-- Contains each job's batch limits that are lower than -1. A run has the batch limit -2 - N if release N could not
-- decode it. The view needs one search of the run_ready index for each batch limit, regardless of the number of runs.
create or replace view left_limit with (security_invoker = true) as
with recursive left_limit (job, batch_limit) as (
  select j.name, (
    select r.batch_limit from run r
    where r.job = j.name and r.worker is null and not r.is_held and r.batch_limit < -1
    order by r.batch_limit limit 1)
  from job j
  union all
  select l.job, (
    select r.batch_limit from run r
    where r.job = l.job and r.worker is null and not r.is_held and r.batch_limit < -1
      and r.batch_limit > l.batch_limit
    order by r.batch_limit limit 1)
  from left_limit l
  where l.batch_limit is not null
)
select job, batch_limit from left_limit where batch_limit is not null
