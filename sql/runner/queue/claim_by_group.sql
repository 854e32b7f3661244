-- Claims due runs of groups that are not full, alternately from the front of the job's queue and from the groups'
-- queues. Groups are visited round robin until enough runs are found. The caller must have called take_turn. $1: the
-- job's name. $2: the maximum number of runs. $3: the fencing token. $4: the worker's id. $5: true to claim the oldest
-- runs first. $6: the last claimed held run's group. $7: true to claim held runs first. $8 to $11: as $6 to $9 of
-- claim_by_priority. If $12 is false, a key with a running run causes error 23505 or 55P03. $13: true to skip locked
-- runs before choosing. Rows: the columns of the claimed_run fragment, and the next $6 or null. Locks: the runs (if $13
-- is true, up to 2 * $2 + 100 more), SKIP LOCKED. Indexes: run_held, run_limited, limit_start_newest (a few probes per
-- group), held_group_due, held_group_key, run_ready.
with recursive
-- The element of $10 whose priority in $8 is -1 is the number of the first active claim.
allowed as materialized (
  select l.*,
    coalesce((select m.id from unnest($8::integer[], $10::bigint[]) m (priority, id) where m.priority = -1),
      0) as first_claim
  from (
  -- include: group_limits
  ) l
),
priority as materialized (
  select p.priority from job, unnest(priorities) p (priority) where name = $1 and paused_at is null
),
-- A group with a rate limit is visited only after its turn is due. The search for turns begins at the due time in $9
-- whose priority in $8 is 0. A turn may become visible shortly after its due time, so the search begins one second
-- earlier.
began as materialized (
  select coalesce(
    (select m.due from unnest($8::integer[], $9::timestamptz[]) m (priority, due) where m.priority = 0),
    $11, '-infinity') - interval '1 second' as due
),
turn (due, id, group_key) as (
  (select h.due, h.id, h.group_key from held_group h
  where h.job = $1 and (select step from allowed) is not null
    and h.due >= (select due from began) and h.due <= now()
  order by h.due, h.id limit 1)
  union all
  select n.* from turn t, lateral (
    select h.due, h.id, h.group_key from held_group h
    where h.job = $1 and (h.due, h.id) > (t.due, t.id) and h.due <= now()
    order by h.due, h.id limit 1) n
),
-- The `held_from` CTE contains the due time from which held runs are searched. The index contains the due time, so the
-- rows of completed held runs are not read.
held_from as materialized (
  select coalesce(
    (select min(m.due) from unnest($8::integer[], $9::timestamptz[]) m (priority, due)
    where m.priority > 0 or m.priority = -4), $11, '-infinity') as due
),
after (group_key) as (
  (select group_key from run where job = $1 and is_held and group_key > $6 and due >= (select due from held_from)
      and (select step from allowed) is null
    order by group_key limit 1)
  union all
  select (
    select r.group_key from run r
    where r.job = $1 and r.is_held and r.group_key > a.group_key and r.due >= (select due from held_from)
    order by r.group_key limit 1)
  from after a
  where a.group_key is not null
),
up_to (group_key) as (
  (select group_key from run where job = $1 and is_held and group_key <= $6 and due >= (select due from held_from)
      and (select step from allowed) is null
    order by group_key limit 1)
  union all
  select (
    select r.group_key from run r
    where r.job = $1 and r.is_held and r.group_key > u.group_key and r.group_key <= $6
      and r.due >= (select due from held_from)
    order by r.group_key limit 1)
  from up_to u
  where u.group_key is not null
),
-- LIMIT ends the recursive searches when enough groups are found.
held as materialized (
  select w.place, w.priority, w.due, g.group_key, row_number() over () as turn
  from (
    select group_key from after where group_key is not null
    union all
    select group_key from up_to where group_key is not null
    union all
    -- If a group has several turns, only the first turn counts.
    select t.group_key from turn t
    where (
      select true from held_group e
      where e.job = $1 and e.group_key = t.group_key and (e.due, e.id) < (t.due, t.id)
        and e.due >= (select due from began)
      limit 1) is null) g,
  allowed a,
  lateral (
  -- include: group_room
  ) live,
  lateral (
    select r.place, r.priority, r.due
    from priority p, lateral (
      select r.ctid as place, r.priority, r.due from run r
      where r.job = $1 and r.is_held and r.group_key = g.group_key and r.priority = p.priority
        and r.due >= (select due from held_from) and r.due <= now()
        and (not $12 or (
          select true from run b where b.job = r.job and b.key = r.key and b.state = 'running'
            and r.state = 'ready') is null)
        and (not $13 or (select true from run l where l.ctid = r.ctid for update skip locked))
      order by r.due
      limit greatest(0, least($2, live.room))) r
    order by case when $5 then null else r.priority end, r.due
    limit greatest(0, least($2, live.room))) w
  limit $2
),
front as materialized (
  select w.place, w.priority, w.due, w.group_key
  from priority p
  left join unnest($8::integer[], $9::timestamptz[], $10::bigint[]) m (priority, due, id) on m.priority = p.priority,
  lateral (
    -- A run that was dispatched before the job had limits has no group yet.
    select w.place, w.priority, w.due, coalesce(w.group_key, run_group($1, w.key, w.payload), '') as group_key
    from due_run w
    where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority and (not $12 or w.is_free)
      and (w.due, w.id) >= (coalesce(m.due, $11, '-infinity'), coalesce(m.id, 0))
      and (not $13 or (select true from run l where l.ctid = w.place for update skip locked))
    order by w.due, w.id
    limit $2 * 2 + 100) w
),
waiting as materialized (
  select place, priority, due, group_key, turn from held
  union all
  select place, priority, due, group_key, null from front
),
live as materialized (
  select g.group_key, r.room
  from (select distinct group_key from waiting) g, allowed a, lateral (
  -- include: group_room
  ) r
),
numbered as (
  select w.*, row_number() over (
      partition by group_key order by case when $5 then null else priority end, due) as nth
  from waiting w
),
placed as (
  select n.*, row_number() over (
      partition by n.turn is null
      order by n.turn, case when $5 then null else n.priority end, n.due) as nth_of_kind
  from numbered n
  join live v on v.group_key = n.group_key
  where v.room is null or n.nth <= v.room
),
-- If the `front` CTE is empty, the statement uses the rows of the `held` CTE in their existing order. A second sort
-- would take 20 % of the claim's time.
chosen as materialized (
  select place, group_key, turn from held where not exists (select from front)
  union all
  (select place, group_key, turn from placed where exists (select from front)
  order by nth_of_kind, (turn is null) = $7
  limit $2)
)
update run r
set state = 'running', attempt = r.attempt + 1, token = $3, worker = $4,
  claim_number = (select nextval('claim_number_seq')), is_held = false,
  group_key = coalesce(r.group_key, run_group($1, r.key, r.payload), '')
where r.ctid = any (array(
  select w.ctid from run w
  where w.ctid = any (array(select place from chosen)) and (w.worker is null) is true
  for update skip locked))
returning
  -- include: claimed_run
  , (select c.group_key from chosen c where c.turn is not null order by c.turn desc limit 1)
