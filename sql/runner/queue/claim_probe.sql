-- Claims one run of a failing job at a random place among its oldest or newest due runs, whatever their batch limits
-- and priorities. $1: the job's name. $2: the fencing token. $3: the worker's id. $4: the number of runs to choose from.
-- $5: a random number from 0 to $4 - 1. $6: true to choose from the newest runs. $7 and $8: the due time and the id
-- where the search for runs without a batch limit begins. $9: a claim number. No active claim of the job has a lower
-- number. Rows: the columns of the claimed_run fragment, for one run or none. Locks: up to 20 runs, SKIP LOCKED.
-- Indexes: run_ready, run_limited, limit_start_newest, group_limit_pkey.
with recursive limits as (
  (select r.batch_limit from run r
  where r.job = $1 and r.worker is null and not r.is_held and r.batch_limit >= 0
  order by r.batch_limit limit 1)
  union all
  select (select r.batch_limit from run r
    where r.job = $1 and r.worker is null and not r.is_held and r.batch_limit > l.batch_limit
    order by r.batch_limit limit 1)
  from limits l where l.batch_limit is not null
),
start as materialized (
  select l.batch_limit, p.priority, case when l.batch_limit = 0 then $7 else '-infinity' end as due
  from job j
  cross join unnest(j.priorities) p (priority)
  cross join limits l
  where j.name = $1 and j.paused_at is null
),
due_place as materialized (
  (select w.place, w.due, w.id
  from start s, lateral (
    select r.ctid as place, r.due, r.id from run r
    where r.job = $1 and r.worker is null and not r.is_held and r.batch_limit = s.batch_limit
      and r.priority = s.priority and r.due <= now() and (r.due, r.id) >= (s.due, $8)
    order by r.due, r.id
    limit $4) w
  where not $6
  order by w.due, w.id
  limit $4)
  union all
  (select w.place, w.due, w.id
  from start s, lateral (
    select r.ctid as place, r.due, r.id from run r
    where r.job = $1 and r.worker is null and not r.is_held and r.batch_limit = s.batch_limit
      and r.priority = s.priority and r.due <= now() and (r.due, r.id) >= (s.due, $8)
    order by r.due desc, r.id desc
    limit $4) w
  where $6
  order by w.due desc, w.id desc
  limit $4)
),
-- The first runs at the place may have a running run of their key, or belong to groups that have reached a limit. If
-- fewer runs are due than $4, each of them has nearly the same chance.
chosen as materialized (
  select place from due_place order by due, id
  offset $5 % (select greatest(count(*), 1) from due_place) limit 20
),
picked as materialized (
  select w.place, coalesce(w.group_key, run_group($1, w.key, w.payload), '') as group_key,
    row_number() over (order by w.due, w.id) as nth_picked
  from (
    select d.place, d.group_key, d.key, d.payload, d.due, d.id from due_run d
    where d.place = any (array(select place from chosen)) and d.job = $1 and d.is_free
    for update skip locked) w
)
update run r
set state = 'running', attempt = r.attempt + 1, token = $2, worker = $3,
  claim_number = (select nextval('claim_number_seq')),
  group_key = coalesce(r.group_key, case when (select count(*) > 0 from job_limit where job = $1)
    then run_group($1, r.key, r.payload) end)
where r.ctid = any (array(
  select f.place from (select $9::bigint as first_claim) own, lateral (
  -- include: fitting_run
  ) f
  limit 1))
returning
  -- include: claimed_run
