-- Sets the concurrency limits of a job at run time, which override the declared limits. $1: the job's stored name. $2:
-- the job's concurrency. $3: the concurrency of each group. If $2 or $3 is null, the declared limit applies. The caller
-- must have locked the row of the job's limits, unless it does not exist. If no limit is left, the row of the job's
-- limits is deleted, unless group queues contain runs. Rows: none. Locks: the row of the job's limits. Claims of the
-- job lock the same row. Index: job_limit_pkey.
with removed as (
  delete from job_limit l
  where l.job = $1 and coalesce($2::integer, $3::integer, l.declared_concurrency, l.declared_group_concurrency,
      l.burst, l.group_burst) is null
    and not exists (select from run where job = $1 and is_held)
  returning 1
)
insert into job_limit as l (job, concurrency, group_concurrency, set_concurrency, set_group_concurrency)
select $1, $2, $3, $2, $3
where not exists (select from removed) and (coalesce($2::integer, $3::integer) is not null
  or exists (select from job_limit where job = $1))
on conflict (job) do update
set concurrency = coalesce(excluded.set_concurrency, l.declared_concurrency),
  -- A limit for each group applies only while the job declares groups.
  group_concurrency = case when coalesce(l.group_field, l.group_separator) is not null
    then coalesce(excluded.set_group_concurrency, l.declared_group_concurrency) end,
  set_concurrency = excluded.set_concurrency, set_group_concurrency = excluded.set_group_concurrency
