-- Moves due runs that their groups' limits delay into the groups' queues (is_held), so that claims do not read them. If
-- a group may start N runs, its N most urgent runs at the front are not moved. If the groups have a rate limit, a group
-- with moved runs gets a turn at the time of its next start. The caller must have called take_turn. $1: the job's name.
-- $2 to $5: the same as $6 to $9 of claim_by_priority. Rows: one row with the number of moved runs, which is at most
-- 1,000. Locks: the moved runs, SKIP LOCKED. Indexes: run_ready, run_limited, limit_start_newest, held_group_key.
with front as materialized (
  -- A run that was dispatched before the job had limits has no group yet. Runs whose keys are running are not moved, and
  -- must not hide later runs.
  select w.place, w.id, w.due, p.priority, coalesce(w.group_key, run_group($1, w.key, w.payload), '') as group_key
  from job, unnest(priorities) p (priority)
  left join unnest($2::integer[], $3::timestamptz[], $4::bigint[]) m (priority, due, id) on m.priority = p.priority,
  lateral (
    select w.place, w.id, w.due, w.group_key, w.key, w.payload from due_run w
    where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority and w.is_free
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
live as materialized (
  select g.group_key, r.room from (select distinct group_key from front) g, allowed a, lateral (
  -- include: group_room
  ) r
),
-- If only runs of full groups were moved, runs of groups that are not full yet could hide the runs of a new group.
delayed as materialized (
  select n.place, n.group_key
  from (
    select place, group_key, row_number() over (partition by group_key order by priority, due, id) as nth from front) n
  join live v on v.group_key = n.group_key
  where n.nth > v.room
),
-- If the group already has an earlier turn in the future, no turn is added.
turn as (
  insert into held_group (job, group_key, due)
  select $1, g.group_key, n.due
  from (select distinct group_key from delayed) g, allowed a, lateral (
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
    select place from delayed limit 1000))
    and (w.worker is null) is true
  for update skip locked))
