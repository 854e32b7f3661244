-- Moves due runs of full groups into the queues of their groups (is_held), so that claims do not read them. Each run is
-- moved at most once. The caller must have called take_turn. $1 is the job, $2 to $5 are the places from
-- which the front is searched (claim_by_priority). Rows: the number of moved runs, at most 1,000. Locks: the moved runs, SKIP LOCKED. Indexes: run_limited, run_ready.
with full_group as materialized (
  select r.group_key from run r
  join job_limit l on l.job = $1
  where r.job = $1 and r.state = 'running' and r.group_key is not null
  group by r.group_key, l.group_concurrency
  having count(*) >= l.group_concurrency
),
front as materialized (
  select w.place, coalesce(w.group_key, '') as group_key
  from job, unnest(priorities) p (priority)
  left join unnest($2::integer[], $3::timestamptz[], $4::bigint[]) m (priority, due, id) on m.priority = p.priority,
  lateral (
    select w.place, w.group_key from due_run w
    where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority
      and (w.due, w.id) >= (coalesce(m.due, $5, '-infinity'), coalesce(m.id, 0))
    order by w.due, w.id limit 1000) w
  where name = $1
)
update run r set is_held = true, group_key = coalesce(r.group_key, '')
where r.ctid = any (array(
  select w.ctid from run w
  where w.ctid = any (array(
    select f.place from front f join full_group g using (group_key) limit 1000))
    and (w.state = 'ready') is true
  for update skip locked))
