-- Checks for work with one cheap query. $1 to $4: the jobs, priorities, due times and ids to start searching from,
-- taken from column 8 of an earlier poll. $5: the due time at which the search begins for all other priorities
-- (fragment front). $6: the program's name. $7: the program's release. $8: true to search for dead workers. Rows: one
-- row with nine columns, which the comments in the statement describe. Locks: none. OFFSET 0 forces scans in the order
-- of the indexes event_N_xact, run_ready, run_split, run_alone, run_held_due, run_claimed, limit_start_newest,
-- held_group_due, schedule_due, cancellation_pkey.
with position as materialized (
  select snapshot, base, partial, deferred, dispatched_at, pg_current_snapshot() as current_snapshot
  from event_position order by id desc limit 1
),
found as materialized (
  select job.name, f.priority, f.due, f.id
  from job, lateral (
    -- include: front
    ) f
),
-- The `holding` CTE contains the first held run of each job. The search begins at the earliest due time that $1 to $4
-- contain for the job's ready and held runs. A job with a rate limit for each group has a row even if no run is held.
holding as materialized (
  select job.name, l.group_interval is not null as has_rate, h.due
  from job
  left join job_limit l on l.job = job.name
  left join lateral (
    select r.due from run r
    where r.job = job.name and (not r.is_held) is false and r.due >= coalesce((
      select min(m.due) from unnest($1::text[], $2::integer[], $3::timestamptz[]) m (job, priority, due)
      where m.job = job.name and (m.priority > 0 or m.priority = -4)), $5, '-infinity')
    order by r.due limit 1) h on true
  where l.group_interval is not null or h.due is not null
),
-- For each job with a rate limit for each group, the `turn` CTE contains the first due turn. A turn may become visible
-- shortly after its due time, so the search begins one second earlier.
turn as materialized (
  select l.job, t.due
  from job_limit l
  left join unnest($1::text[], $2::integer[], $3::timestamptz[]) m (job, priority, due)
    on m.job = l.job and m.priority = 0,
  lateral (
    select h.due from held_group h
    where h.job = l.job and h.due >= coalesce(m.due, $5, '-infinity') - interval '1 second' and h.due <= now()
    order by h.due limit 1) t
  where l.group_interval is not null
),
-- The `timed` CTE contains the first waiting schedule of each job. A search for all schedules would read each schedule
-- that a tenant has made.
timed as materialized (
  select s.job, s.next_at, s.next_at + d.delay as fires_at
  from job
  left join unnest($1::text[], $2::integer[], $3::timestamptz[]) m (job, priority, due)
    on m.job = job.name and m.priority = -2,
  lateral (
    select w.job, w.next_at from schedule w
    where w.job = job.name and w.in_development = exists (select from development) and w.paused_at is null
      and w.next_at is not null and w.next_at >= coalesce(m.due, (
        select o.due from unnest($1::text[], $2::integer[], $3::timestamptz[]) o (job, priority, due)
        where o.job = '*' and o.priority = -2), '-infinity')
    order by w.next_at limit 1) s,
  lateral (
    select least(
      extract(epoch from coalesce((select delay from schedule_delay where job = s.job), '0'))::double precision,
      31000000000) * interval '1 second' as delay) d
  where retired_at is null and not exists (select from development where not fires_schedules)
),
-- The `left_run` CTE contains the batch limits of runs that another release could not decode.
left_run as materialized (
  select l.job, l.batch_limit, p.priority
  from left_limit l
  join job j on j.name = l.job
  cross join unnest(j.priorities) p (priority)
  cross join (select $6::text as program, $7::integer as release) own
  where
    -- include: readable_limit
)
select
  -- Column 1 is true if an event is undispatched, or if the event log was restored from another cluster. A search in
  -- the unfolded_event view could read all rows of a large transaction, and PostgreSQL would initialize a larger plan.
  -- A search for a transaction that is still open would read all its events, but would return none of them.
  (select base is not null or partial is not null or deferred is not null from position)
    or exists (select from event where xact >= (select pg_snapshot_xmax(snapshot) from position))
    or exists (select from event where xact = any (array(
      select p.xact from (select pg_snapshot_xip(snapshot) as xact, current_snapshot from position) p
      where pg_visible_in_snapshot(p.xact, p.current_snapshot))))
    or not exists (select from own_position),
  -- Column 2 is true if a worker is dead, or if a worker's server process is missing. While an old transaction is open,
  -- the search reads a row version for each heartbeat, so frequent polls do not search.
  case when $8 then exists (select from dead_worker) or exists (select from missing_worker) else false end,
  -- Column 3 has one line for each job with due runs that may start: name, most urgent priority and claim order.
  array_to_string(array(
    select name || ' ' || coalesce(urgent.priority, job.priority) || ' '
      -- The function claim_order is called only if needed, because PostgreSQL cannot inline the slow function.
      || case when is_limited or is_holding or cardinality(priorities) > 1 then claim_order(name)
        else 'plain' end
    from job, lateral (
      select min(f.priority) as priority from found f where f.name = job.name) urgent,
    lateral (
      select exists (select from job_limit l where l.job = name) as is_limited,
        exists (select from turn t where t.job = name)
          or exists (
            select from holding h where h.name = job.name and not h.has_rate and h.due <= now()) as is_holding) l
    -- CASE forces the order. PostgreSQL would call claim_room first, which it plans at each call.
    where case when paused_at is null
      and (urgent.priority is not null
        or exists (select from run where job = name and worker is null and not is_held
          and batch_limit > 0 and due <= now() order by due offset 0)
        or exists (select from left_run l, lateral (
          select from run r
          where r.job = l.job and r.worker is null and not r.is_held and r.batch_limit = l.batch_limit
            and r.priority = l.priority and r.due <= now() order by r.due limit 1) due
          where l.job = name)
        -- The claim later checks whether the groups of the held runs have room.
        or is_holding)
      then not is_limited or coalesce(claim_room(name, coalesce((
        select m.id from unnest($1::text[], $2::integer[], $4::bigint[]) m (job, priority, id)
        where m.job = name and m.priority = -1), 0)), 1) > 0 end), e'\n'),
  -- Column 4 has one line for each job with a due run that must be executed alone (batch_limit -1) and may start.
  array_to_string(array(
    select name from job
    -- CASE forces the order, because the functions that check limits are slow.
    where case when paused_at is null
      and exists (select from run w
        where w.job = name and w.worker is null and not w.is_held and w.batch_limit = -1
          and w.due <= now()
          -- With NOT EXISTS, the planner would read the index entries of all runs of the job.
          and (select true from run b where b.job = w.job and b.key = w.key and b.state = 'running'
            and w.state = 'ready') is not true
        order by w.due offset 0)
      then not exists (select from job_limit l where l.job = name)
        or coalesce(claim_room(name, coalesce((
          select m.id from unnest($1::text[], $2::integer[], $4::bigint[]) m (job, priority, id)
          where m.job = name and m.priority = -1), 0)), 1) > 0
        -- is_group_full is called once per group.
        and exists (
          select from (
            select distinct coalesce(w.group_key, run_group(name, w.key, w.payload), '') as group_key
            from due_run w
            where w.job = name and w.batch_limit = -1 and w.is_free
            offset 0) g
          where is_group_full(name, g.group_key) is not true) end), e'\n'),
  -- Column 5 is the time in ms until the next due time, at most 60,000, or null if there is no later due time.
  (select ceil(extract(epoch from min(least(next.due, now() + interval '1 minute')) - now())
      * 1000)::integer
   from (
     select due.due
     from job, lateral (
       (select min(of_priority.due) as due from unnest(priorities) p (priority), lateral (
          select due from run where job = name and worker is null and not is_held and batch_limit = 0
            and run.priority = p.priority and due > now() order by due limit 1) of_priority)
       union all
       (select due from run where job = name and worker is null and not is_held
          and batch_limit = -1 and due > now() order by due limit 1)
       union all
       (select due from run where job = name and worker is null and not is_held
          and batch_limit > 0 and due > now() order by due limit 1)
       union all
       (select r.due from left_run l, lateral (
          select due from run r
          where r.job = l.job and r.worker is null and not r.is_held and r.batch_limit = l.batch_limit
            and r.priority = l.priority and r.due > now() order by r.due limit 1) r
        where l.job = name)) due
     where paused_at is null
     union all
     -- If a rate limit delays runs, the query returns the next start that the limit allows.
     select s.rested_at - (burst - 1) * start_interval
     from job_limit l, lateral (
       -- ORDER BY contains all columns of the index, so that the planner can use the index.
       select rested_at from limit_start where job = l.job and group_key is null and rested_at > now()
       order by job desc, group_key desc, rested_at desc limit 1) s
     where start_interval is not null and s.rested_at - (burst - 1) * start_interval > now()
     union all
     -- If rates delay groups, the query returns the next turn of a group.
     select t.due
     from job_limit l, lateral (
       select h.due from held_group h where h.job = l.job and h.due > now() order by h.due limit 1) t
     where l.group_interval is not null
     union all
     select h.due from holding h where not h.has_rate and h.due > now()
     union all
     -- If the clock is frozen, no worker waits for a schedule.
     select now() + (fires_at - domain_now()) from timed
     where fires_at > domain_now()
       and not exists (select from development where clock is not null)) next
   -- LEAST ignores a null. Without this condition, column 5 would be one minute instead of null.
   where next.due is not null),
  -- Column 6 is true if a schedule is due and the domain clock is not frozen. A replay freezes the clock, and fires
  -- schedules after the drain of each step. If workers also fired schedules, the replay's result would depend on
  -- timing.
  not exists (select from development where clock is not null)
    and exists (select from timed where fires_at <= domain_now()),
  -- Column 7 is true if a cancellation is requested.
  exists (select from cancellation) or exists (select from cancel_request),
  -- Column 8 has one line for each place where a later poll begins a search: job, priority, due time and id. A positive
  -- priority means the first due run with this priority. The priority 0 means the first due turn of a group. The
  -- priority -1, which only the caller adds, means the first active claim. The priority -2 means the job's first
  -- waiting schedule. For the `*` job, the priority -2 means the schedules of all other jobs. The priority -3 means an
  -- open transaction, whose id replaces the job. The priority -4 means the first held run.
  array_to_string(array(
    select name || ' ' || priority || ' ' || (extract(epoch from due) * 1000000)::bigint || ' ' || id
    from (select name, priority, due, id from found
      union all select job, 0, due, 0 from turn
      union all select job, -2, next_at, 0 from timed
      union all select '*', -2, domain_now(), 0
      -- While the domain clock is frozen, a later run is due at infinity.
      union all select name, -4, least(due, now()), 0 from holding where due is not null
      -- A run that an open transaction makes ready may be due earlier than the times in column 8.
      union all
      select xact::text, -3, 'epoch', 0
      from event_cursor, pg_snapshot_xip(pg_current_snapshot()) xact) f), e'\n'),
  -- Column 9 is the time of the last dispatch, or null if the server's clock was set back after the dispatch. The poll
  -- found only runs that were due at its own time, so column 9 is never later than this time.
  (select case when dispatched_at <= clock_timestamp() then least(dispatched_at, now()) end from position)
