-- Dispatches all events that were committed since the last dispatch, and creates or updates one ready run for each job
-- and key. If $1 is true, new runs are due now, without their debounce. Rows: one row with the number of events, the
-- number of runs, and the names of the jobs (one per line). Locks: the ready runs with the same keys. The caller must
-- have locked event_cursor. Indexes: event_N_xact, run_pkey, run_held.
with position as materialized (
  select id from event_position order by id desc limit 1
),
moment as materialized (
  select pg_current_snapshot() as snapshot, pg_current_xact_id() as set_by,
    system_identifier as epoch, now() as at
  -- The query reads event_cursor, because a distributed database could otherwise use another snapshot than for the
  -- events.
  from event_cursor, pg_control_system()
),
fresh as materialized (
  select topic, key, payload, recorded_at, id, run_id, run_at, replaces, priority, origin, trace
  from unfolded_event
),
wake as (
  select t.topic, name, quiet, at_most, every, keeps_payloads, joins_changes, priority
  from job, unnest(topics) t (topic)
  union all
  select 'enqueue/' || name, name, quiet, at_most, every, keeps_payloads, joins_changes, priority from job
),
-- The CTE `replacing` contains each key's newest call with `replace`, and is usually empty.
replacing as materialized (
  select distinct on (topic, key) substr(topic, length('enqueue/') + 1) as job, key, recorded_at, id
  from fresh
  where replaces
  order by topic, key, recorded_at desc, id desc
),
-- The CTE `brought` contains each key's newest payload. The run gets the id of the call with that payload.
brought as materialized (
  select distinct on (w.name, f.key) w.name as job, f.key, f.payload, f.run_id, f.replaces
  from fresh f
  join wake w using (topic)
  where f.payload is not null or f.replaces
  order by w.name, f.key, f.recorded_at desc, f.id desc
),
-- The CTE `began` contains each key's first change that no later call replaces. If no job merges changes, no event is
-- read.
began as materialized (
  select distinct on (w.name, f.key) w.name as job, f.key, f.payload
  from fresh f
  join wake w using (topic)
  left join replacing r on r.job = w.name and r.key = f.key
  where (select count(*) filter (where joins_changes) > 0 from job)
    and w.joins_changes and f.payload is not null
    and (r.id is null or (f.recorded_at, f.id) >= (r.recorded_at, r.id))
  order by w.name, f.key, f.recorded_at, f.id
),
-- The CTE `traced` contains the trace contexts of each key's events, oldest first, without the replaced events.
traced as materialized (
  select w.name as job, f.key,
    left(string_agg(f.trace, ' ' order by f.recorded_at, f.id), 447) as trace
  from fresh f
  join wake w using (topic)
  left join replacing r on r.job = w.name and r.key = f.key
  where f.trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'
    and (r.id is null or (f.recorded_at, f.id) >= (r.recorded_at, r.id))
  group by 1, 2
),
folded as (
  select w.name as job, f.key, w.quiet, w.at_most, w.every,
    min(f.recorded_at) filter (where f.run_at is null and stands) as first_event_at,
    max(f.recorded_at) filter (where f.run_at is null and stands) as last_event_at,
    min(f.run_at) filter (where stands) as run_at,
    min(f.recorded_at) filter (where f.run_at is not null and stands) as asked_at,
    bool_or(f.replaces) as replaces,
    min(coalesce(f.priority, w.priority)) filter (where stands) as priority,
    -- The minimum is the shortest chain, because an origin begins with the chain's length. An event that no job caused
    -- has an empty origin.
    min(coalesce(f.origin, '')) filter (where stands) as origin,
    array_agg(f.run_id) filter (where f.run_id is not null) as ids
  from fresh f
  join wake w using (topic)
  left join replacing r on r.job = w.name and r.key = f.key,
  lateral (
    select r.id is null or (f.recorded_at, f.id) >= (r.recorded_at, r.id) as stands) s
  group by 1, 2, 3, 4, 5
),
named as (
  select f.*, case when c.job is null then b.payload
      else later_payload(c.job, c.payload, b.payload) end as payload,
    coalesce(case when b.job is null then f.ids[cardinality(f.ids)] else b.run_id end,
      nextval('run_id_seq')) as id,
    case when l.job is not null then
      group_of(l.group_field, l.group_separator, l.group_part, f.key, b.payload) end as group_key,
    l.group_concurrency is not null as is_grouped,
    t.trace,
    -- If the job is throttled, the key's next run must not start before this instant.
    case when f.every is not null then (
      select r.free_at from recent_run r where r.job = f.job and r.key = f.key
      order by r.free_at desc limit 1) end as free_at
  from folded f
  left join brought b using (job, key)
  left join began c using (job, key)
  left join traced t using (job, key)
  left join job_limit l on l.job = f.job
),
-- The CTE `crowded` contains groups with more than 100 new runs. At the front of the queue, these runs would delay the
-- runs of other groups.
crowded as (
  select job, group_key from named where is_grouped group by job, group_key having count(*) > 100
),
made as (
  insert into run as r (id, job, key, state, due, first_event_at, last_event_at, run_at, asked_at,
    replaces, payload, earlier_ids, priority, group_key, is_held,
    origin, trace)
  select id, job, key, 'ready',
    least(server_time(run_at),
      case when first_event_at is null then null
        when $1 then m.at
        when every is not null then least(greatest(m.at, free_at), m.at + every)
        -- Without a debounce, the run is due now, even if its event was recorded after this transaction began. The poll
        -- that follows in this transaction uses the same now().
        else least(last_event_at + quiet, first_event_at + at_most, case when quiet = '0' then m.at end) end),
    first_event_at, last_event_at, run_at, asked_at, replaces, payload,
    -- The column earlier_ids is empty if callers got only the run's own id, and null if callers got no id.
    array_remove(ids, id), priority, group_key,
    -- The run is added to the end of its group's queue if that queue contains runs.
    is_grouped and (
      exists (select from run h where h.is_held and h.job = n.job and h.group_key = n.group_key)
      or (n.job, n.group_key) in (select c.job, c.group_key from crowded c)),
    nullif(origin, ''), trace
  from named n, moment m
  order by job, key
  on conflict (job, key, state) do update
  set id = case when excluded.payload is null and excluded.replaces is null then r.id
      else excluded.id end,
    earlier_ids = case when excluded.earlier_ids is null and excluded.payload is null
        then r.earlier_ids
      else newest_ids(r.earlier_ids || excluded.earlier_ids
        || case when excluded.payload is null and excluded.replaces is null then excluded.id
          else r.id end) end,
    first_event_at = case when excluded.replaces then excluded.first_event_at
      else least(r.first_event_at, excluded.first_event_at) end,
    last_event_at = case when excluded.replaces then excluded.last_event_at
      else greatest(r.last_event_at, excluded.last_event_at) end,
    run_at = case when excluded.replaces then excluded.run_at
      else least(r.run_at, excluded.run_at) end,
    asked_at = case when excluded.replaces then excluded.asked_at
      else least(r.asked_at, excluded.asked_at) end,
    replaces = coalesce(r.replaces, excluded.replaces),
    priority = case when excluded.replaces then excluded.priority
      else least(r.priority, excluded.priority) end,
    -- If there is a new payload, it determines the group.
    group_key = case when excluded.payload is null and excluded.replaces is null then r.group_key
      else coalesce(excluded.group_key, r.group_key) end,
    origin = case when excluded.replaces then excluded.origin
      else nullif(least(coalesce(r.origin, ''), coalesce(excluded.origin, '')), '') end,
    trace = case when excluded.replaces then excluded.trace
      else nullif(left(concat_ws(' ', r.trace, excluded.trace), 447), '') end,
    payload = case when excluded.replaces or r.payload is null then excluded.payload
      when excluded.payload is null then r.payload
      else later_payload(r.job, r.payload, excluded.payload) end,
    -- An event does not shorten a backoff, so that a run that always crashes becomes dead.
    due = greatest(r.backoff_until,
      case when excluded.replaces then excluded.due
        when excluded.first_event_at is null then least(r.due, excluded.due)
        else (
          select case when j.every is not null then least(r.due, excluded.due)
            else least(server_time(least(r.run_at, excluded.run_at)),
              greatest(r.last_event_at, excluded.last_event_at) + j.quiet,
              least(r.first_event_at, excluded.first_event_at) + j.at_most) end
          from job j where j.name = r.job) end)
  returning job, key, due, first_event_at, earlier_ids
),
remembered as (
  insert into recent_run (job, key, free_at)
  select m.job, m.key, m.due + j.every
  from made m
  join job j on j.name = m.job
  -- The condition with count(every) is evaluated only once, so `made` is not read if no job is throttled.
  where (select count(every) > 0 from job)
    and j.every is not null and not $1 and m.first_event_at is not null and m.due + j.every > now()
  order by m.job, m.key
  on conflict do nothing
),
collected as (
  insert into run_payload (job, key, payload)
  select w.name, f.key, f.payload
  from fresh f
  join wake w using (topic)
  left join replacing r on r.job = w.name and r.key = f.key
  where w.keeps_payloads and f.payload is not null
    and (r.id is null or (f.recorded_at, f.id) >= (r.recorded_at, r.id))
  order by f.recorded_at, f.id
),
-- The join with `made` ensures that a run that is being claimed does not lose its payloads.
dropped as (
  delete from run_payload p
  using made m
  join replacing using (job, key)
  where p.job = m.job and p.key = m.key
    and (p.taken_by is null or p.taken_by = any (m.earlier_ids))
),
-- The CTE `called` adds new priorities to those that claims must search. New priorities are rare.
called as (
  update job j
  set priorities = (select array_agg(distinct p order by p) from unnest(j.priorities || n.priorities) p)
  from (
    select w.name, array_agg(f.priority) as priorities from fresh f join wake w using (topic)
    where f.priority is not null
    group by 1) n
  where j.name = n.name and not n.priorities <@ j.priorities
),
moved as (
  insert into event_position (snapshot, epoch, set_by)
  select snapshot, epoch, set_by from moment where exists (select from fresh)
),
forgotten as (
  delete from event_position
  where id = (select id from position) and exists (select from fresh)
)
select (select count(*) from fresh), (select count(*) from made),
  array_to_string(array(select distinct job from made), e'\n')
