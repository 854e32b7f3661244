-- Moves due runs of full groups into the groups' queues (is_held), so that claims do not read them. Each run is moved
-- at most once. If a rate limit delays a group, the group gets a turn at the time of its next start. The caller must
-- have called take_turn. $1: the job's name. $2 to $5: the same as $6 to $9 of claim_by_priority. Rows: one row with
-- the number of moved runs, which is at most 1,000. Locks: the moved runs, SKIP LOCKED. Indexes: run_ready,
-- run_limited, limit_start_newest, held_group_key.
with front as materialized (
  -- A run that was dispatched before the job had limits has no group yet.
  select w.place, coalesce(w.group_key, run_group($1, w.key, w.payload), '') as group_key
  from job, unnest(priorities) p (priority)
  left join unnest($2::integer[], $3::timestamptz[], $4::bigint[]) m (priority, due, id) on m.priority = p.priority,
  lateral (
    select w.place, w.group_key, w.key, w.payload from due_run w
    where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority
      and (w.due, w.id) >= (coalesce(m.due, $5, '-infinity'), coalesce(m.id, 0))
    order by w.due, w.id limit 1000) w
  where name = $1
),
allowed as materialized (
  select l.*,
    coalesce((select m.id from unnest($2::integer[], $4::bigint[]) m (priority, id) where m.priority = -1),
      0) as first_claim
  from (
  -- include: group_limits
  ) l
),
full_group as materialized (
  select g.group_key from (select distinct group_key from front) g, allowed a, lateral (
  -- include: group_room
  ) r
  where r.room <= 0
),
-- If the group already has an earlier turn in the future, no turn is added.
turn as (
  insert into held_group (job, group_key, due)
  select $1, g.group_key, n.due
  from full_group g, allowed a, lateral (
    select greatest(now(),
      -- include: next_start
      ) as due) n
  where a.step is not null
    and (
      select true from held_group h
      where h.job = $1 and h.group_key = g.group_key and h.due > now() + interval '1 second' and h.due <= n.due
      limit 1) is null
)
update run r set is_held = true, group_key = coalesce(r.group_key, run_group($1, r.key, r.payload), '')
where r.ctid = any (array(
  select w.ctid from run w
  where w.ctid = any (array(
    select f.place from front f join full_group g using (group_key) limit 1000))
    and (w.worker is null) is true
  for update skip locked))
