-- Claims due runs of a job whose groups are not full. The statement reads both the job's due runs and the runs in group
-- queues (is_held). The caller must have called take_turn, so no other session claims runs of the job. $1 is the job,
-- $2 the maximum number, $3 the token, $4 the worker. If $5 is true, the oldest runs are claimed first, otherwise the
-- most urgent runs. Rows: id, key, payload, attempt, due time, first event, ctid, origin, trace. Locks: the runs, SKIP
-- LOCKED, because a transaction that dispatches events may have locked a run. Indexes: run_limited, run_held (one
-- search for each group queue), run_ready.
with recursive live as materialized (
  select group_key, count(*) as runs from run
  where job = $1 and state = 'running' and group_key is not null
  group by group_key
),
holding (group_key) as (
  (select group_key from run where job = $1 and is_held order by group_key limit 1)
  union all
  select (
    select r.group_key from run r
    where r.job = $1 and r.is_held and r.group_key > h.group_key
    order by r.group_key limit 1)
  from holding h
  where h.group_key is not null
),
-- The limit is null if it was removed while runs are still in group queues.
allowed as materialized (
  select (select group_concurrency from job_limit where job = $1) as runs
),
priority as materialized (
  select p.priority from job, unnest(priorities) p (priority) where name = $1 and paused_at is null
),
waiting as materialized (
  select w.place, w.priority, w.due, h.group_key
  from holding h
  left join live v on v.group_key = h.group_key, allowed a, priority p, lateral (
    select r.ctid as place, r.priority, r.due from run r
    where r.job = $1 and r.is_held and r.group_key = h.group_key and r.priority = p.priority
      and r.due <= now()
      and (select true from run b where b.job = r.job and b.key = r.key and b.state = 'running') is null
    order by r.due
    limit greatest(0, least($2, a.runs - coalesce(v.runs, 0)))) w
  where h.group_key is not null
  union all
  select w.place, w.priority, w.due, w.group_key
  from priority p, lateral (
    select w.place, w.priority, w.due, coalesce(w.group_key, '') as group_key from due_run w
    where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority and w.is_free
    order by w.due
    limit $2 * 2 + 100) w
),
numbered as (
  select w.*, row_number() over (
      partition by group_key order by case when $5 then null else priority end, due) as nth
  from waiting w
),
chosen as (
  select n.place
  from numbered n
  left join live v on v.group_key = n.group_key, allowed a
  where a.runs is null or n.nth + coalesce(v.runs, 0) <= a.runs
  order by case when $5 then null else n.priority end, n.due
  limit $2
)
update run r
set state = 'running', attempt = r.attempt + 1, token = $3, worker = $4, is_held = false,
  group_key = coalesce(r.group_key, '')
where r.ctid = any (array(
  select w.ctid from run w
  where w.ctid = any (array(select place from chosen)) and w.state = 'ready'
  for update skip locked))
returning r.id, r.key, r.payload::text, r.attempt, r.due, least(r.first_event_at, r.asked_at),
  r.ctid, r.origin, r.trace
