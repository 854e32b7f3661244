-- Moves the turns of groups after a claim for a job with a rate limit for each group. The new time of a due turn is the
-- due time of the group's first held run or the time of its next start, whichever is later. If a group has started runs
-- and may start more, its turn is moved after the turns of all other groups. The turn of a group without held runs is
-- removed. The caller must have called take_turn and count_starts. $1: the job's name. $2: the places of the started
-- runs. $3: the maximum number of moved turns. $4: priorities. $5: due times. The search for turns begins at the due
-- time in $5 whose priority in $4 is 0, or else at $6. $7: true if the claim has visited all groups whose turn is
-- due. Rows: one row with the number of new turns. Locks: the removed turns. Indexes: held_group_due,
-- held_group_key, run_held, limit_start_newest.
with recursive allowed as materialized (
  -- include: group_limits
),
began as materialized (
  select coalesce(
    (select m.due from unnest($4::integer[], $5::timestamptz[]) m (priority, due) where m.priority = 0),
    $6, '-infinity') - interval '1 second' as due
),
-- The `held_from` CTE contains the due time from which held runs are searched, as in claim_by_group.
held_from as materialized (
  select coalesce(
    (select min(m.due) from unnest($4::integer[], $5::timestamptz[]) m (priority, due)
    where m.priority > 0 or m.priority = -4), $6, '-infinity') as due
),
started as materialized (
  select distinct r.group_key from run r where r.ctid = any ($2::tid[])
),
-- A full claim has visited the turns up to the last turn of a started group. If $7 is false, later turns are not read,
-- except the first $3 turns. They stay due, and a later claim visits them.
last as materialized (
  select h.due, h.id from started s, lateral (
    select h.due, h.id from held_group h
    where h.job = $1 and h.group_key = s.group_key and h.due >= (select due from began)
      and h.due <= statement_timestamp()
    order by h.due desc, h.id desc limit 1) h
  order by h.due desc, h.id desc limit 1
),
turn (place, due, id, group_key, number) as (
  (select h.ctid, h.due, h.id, h.group_key, 1::bigint from held_group h
  where h.job = $1 and h.due >= (select due from began) and h.due <= statement_timestamp()
  order by h.due, h.id limit 1)
  union all
  select n.*, t.number + 1 from turn t, lateral (
    select h.ctid, h.due, h.id, h.group_key from held_group h
    where h.job = $1 and (h.due, h.id) > (t.due, t.id) and h.due <= statement_timestamp()
    order by h.due, h.id limit 1) n
  where $7 or t.number < $3 or (t.due, t.id) < (select l.due, l.id from last l)
),
-- LIMIT ends the recursion. If a group may start more runs but has no run that can be claimed, its turn remains
-- unchanged.
moved as materialized (
  select g.place, g.group_key, n.due
  from turn g, allowed a,
  lateral (
    select min(f.due) as first_due from job, unnest(priorities) p (priority), lateral (
      select r.due from run r
      where r.job = $1 and r.is_held and r.group_key = g.group_key and r.priority = p.priority
        and r.due >= (select due from held_from)
      order by r.due limit 1) f
    where name = $1) held,
  lateral (
    select case
      when held.first_due is null or (
        -- This condition is true if the group has another, earlier turn.
        select true from held_group e
        where e.job = $1 and e.group_key = g.group_key and (e.due, e.id) < (g.due, g.id)
          and e.due >= (select due from began)
        limit 1) then null
      else greatest(held.first_due,
        case when g.group_key in (select s.group_key from started s) then clock_timestamp() else g.due end,
        -- include: next_start
        ) end as due) n
  where n.due is distinct from g.due
  limit $3
),
removed as (
  delete from held_group where ctid = any (array(select place from moved))
)
insert into held_group (job, group_key, due)
select $1, m.group_key, min(m.due) from moved m where m.due is not null group by m.group_key
