-- Finds the full groups that have due runs with a `batch_limit` between `own.low` and `own.high`. No run of a full
-- group can start now. The statement that includes the fragment defines `own`. No active claim of the job has a lower number
-- than `own.first_claim`. OFFSET 0 prevents counts before DISTINCT has removed duplicate groups. If the job's groups
-- have no limits, the fragment reads no runs. $1: the job's name. The fragment is a subquery. Rows: one row for each
-- full group. Locks: none. Indexes: run_ready, run_limited, limit_start_newest, group_limit_pkey.
  select g.group_key
  from (
    select l.*, own.first_claim from (
    -- include: group_limits
    ) l
  ) a, (
    -- A run that was dispatched before the job had limits has no group yet.
    select distinct coalesce(d.group_key, run_group($1, d.key, d.payload), '') as group_key
    from (
      select distinct r.group_key, case when r.group_key is null then r.key end as key,
        case when r.group_key is null then r.payload end as payload
      from run r
      where (select count(*) > 0 from job_limit
          where job = $1 and (group_concurrency is not null or group_interval is not null))
        and r.job = $1 and r.worker is null and not r.is_held and r.batch_limit between own.low and own.high
        and r.due <= now()) d
    offset 0) g, lateral (
    -- include: group_room
    ) r
  where r.room <= 0
