-- Claims due runs that failed or crashed in a batch. The new batch is not larger than the batch limit of the claimed
-- runs, and contains no more runs of a group than may start now. $1: the job's name. $2: the fencing token. $3: the
-- worker's id. $4: the maximum number of runs. $5: a claim number. No active claim of the job has a lower number. Rows:
-- the columns of the claimed_run fragment. Locks: the claimed runs, SKIP LOCKED, and other runs of their groups, up to
-- $4 in all. Indexes: run_ready, run_limited, limit_start_newest, group_limit_pkey. The statement does not read runs
-- that are not due yet.
with recursive limits as (
  -- The `limits` CTE contains the job's distinct batch limits in ascending order, with one index search for each batch
  -- limit.
  (select r.batch_limit from run r
  where r.job = $1 and r.worker is null and not r.is_held and r.batch_limit > 0
  order by r.batch_limit limit 1)
  union all
  select (select r.batch_limit from run r
    where r.job = $1 and r.worker is null and not r.is_held and r.batch_limit > l.batch_limit
    order by r.batch_limit limit 1)
  from limits l where l.batch_limit is not null
),
priority as materialized (
  select p.priority from job, unnest(priorities) p (priority)
  where name = $1 and paused_at is null
),
full_group as materialized (
  select f.group_key from (select 1 as low, 2147483647 as high, $5::bigint as first_claim) own, lateral (
  -- include: full_group
  ) f
),
smallest as materialized (
  -- The `smallest` CTE ignores runs whose key has a running run. Otherwise, these runs would block runs with larger
  -- batch limits.
  select l.batch_limit from limits l
  where exists (
    select from priority p, lateral (
      select from due_run w
      where w.job = $1 and w.batch_limit = l.batch_limit and w.priority = p.priority and w.is_free
        and (not exists (select from full_group)
          or coalesce(w.group_key, run_group($1, w.key, w.payload), '') not in (select group_key from full_group))
      order by w.due limit 1) due)
  order by l.batch_limit
  limit 1
),
picked as materialized (
  select w.place, w.group_key, row_number() over () as nth_picked
  from (
    select w.place, w.group_key
    from (select priority from priority order by priority) p, lateral (
      select w.place, coalesce(w.group_key, run_group($1, w.key, w.payload), '') as group_key from due_run w
      where w.job = $1 and w.batch_limit = (select batch_limit from smallest) and w.priority = p.priority
        and w.is_free and (not exists (select from full_group)
          or coalesce(w.group_key, run_group($1, w.key, w.payload), '') not in (select group_key from full_group))
      order by w.due
      limit (select least(batch_limit, $4) from smallest)
      for update skip locked) w
    limit (select least(batch_limit, $4) from smallest)) w
)
update run r
set state = 'running', attempt = r.attempt + 1, token = $2, worker = $3,
  claim_number = (select nextval('claim_number_seq')),
  group_key = coalesce(r.group_key, case when (select count(*) > 0 from job_limit where job = $1)
    then run_group($1, r.key, r.payload) end)
where r.ctid = any (array(
  select f.place from (select $5::bigint as first_claim) own, lateral (
  -- include: fitting_run
  ) f))
returning
  -- include: claimed_run
