-- Counts the dead runs of each job. The statement counts at most 10,001 runs of all jobs, and 100 more of each job.
-- Rows: the job, the counted number, whether these are all dead runs of the job, and an estimate of the number. The
-- estimate uses the job's share of the 10,001 most recent dead runs. Locks: none. Indexes: dead_run_key, dead_run_pkey.
-- With an equality instead of the two inequalities, the planner might read the whole table.
with recursive dead_job as (
  (select job from dead_run order by job limit 1)
  union all
  select (select d.job from dead_run d where d.job > j.job order by d.job limit 1)
  from dead_job j
  where j.job is not null
),
bound as materialized (
  select 10001 / greatest(count(job), 1) + 100 as most from dead_job
),
newest as materialized (
  select job, count(*) as runs from (select job from dead_run order by id desc limit 10001) n group by job
)
select j.job, c.runs, c.runs < (select most from bound),
  coalesce(greatest(n.runs, pg_stat_get_live_tuples('dead_run'::regclass) * n.runs / 10001), 0)
from dead_job j
left join newest n using (job),
lateral (
  select count(*) as runs
  from (select d.job from dead_run d where d.job >= j.job and d.job <= j.job order by d.job
    limit (select most from bound)) counted) c
where j.job is not null
order by j.job
