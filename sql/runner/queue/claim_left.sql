-- Claims due runs that another release could not decode. Runs that this release could not decode are claimed only if no
-- other release has the job. The statement claims no more runs of a group than may start now. $1: the job's name. $2:
-- the fencing token. $3: the worker's id. $4: the maximum number of runs. $5: the worker's program. $6: the program's
-- release, or null if it is unknown. $7: a claim number. No active claim of the job has a lower number. Rows: the
-- columns of the claimed_run fragment. Locks: the claimed runs, SKIP LOCKED, and other runs of their groups, up to $4 in
-- all. Indexes: run_ready, run_limited, limit_start_newest, group_limit_pkey. The statement does not read runs that are
-- not due yet.
with full_group as materialized (
  select f.group_key from (select -2147483648 as low, -2 as high, $7::bigint as first_claim) own, lateral (
  -- include: full_group
  ) f
),
picked as materialized (
  select w.place, w.group_key, row_number() over () as nth_picked
  from (
    select w.place, w.group_key
    from (
      select l.batch_limit, p.priority
      from left_limit l
      join job j on j.name = l.job and j.paused_at is null
      cross join unnest(j.priorities) p (priority)
      cross join (select $5 as program, $6::integer as release) own
      where l.job = $1 and
        -- include: readable_limit
      order by p.priority) p, lateral (
      select w.place, coalesce(w.group_key, run_group($1, w.key, w.payload), '') as group_key from due_run w
      where w.job = $1 and w.batch_limit = p.batch_limit and w.priority = p.priority and w.is_free
        and (not exists (select from full_group)
          or coalesce(w.group_key, run_group($1, w.key, w.payload), '') not in (select group_key from full_group))
      order by w.due
      limit $4
      for update skip locked) w
    limit $4) w
)
update run r
set state = 'running', attempt = r.attempt + 1, token = $2, worker = $3,
  claim_number = (select nextval('claim_number_seq')),
  group_key = coalesce(r.group_key, case when (select count(*) > 0 from job_limit where job = $1)
    then run_group($1, r.key, r.payload) end)
where r.ctid = any (array(
  select f.place from (select $7::bigint as first_claim) own, lateral (
  -- include: fitting_run
  ) f))
returning
  -- include: claimed_run
