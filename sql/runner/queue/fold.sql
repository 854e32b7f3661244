-- Folds the events that committed since the last position into one ready run a job and key.
-- $1: whether the runs are due at once, debounces aside. Rows: one: events and runs.
-- Locks: the ready runs it meets; the caller holds the cursor. Indexes: event_N_xact, run_pkey.
with position as materialized (
  select id from event_position order by id desc limit 1
),
moment as materialized (
  select pg_current_snapshot() as snapshot, pg_current_xact_id() as set_by,
    system_identifier as epoch, now() as at
  -- A table of ours: without one, a server that spreads tables takes another snapshot here than for the log.
  from event_cursor, pg_control_system()
),
fresh as materialized (
  select topic, key, payload, recorded_at, id from unfolded_event
),
wake as (
  select t.topic, name, quiet, at_most from job, unnest(topics) t (topic)
  union all
  select 'enqueue/' || name, name, quiet, at_most from job
),
folded as (
  select w.name as job, f.key, w.quiet, w.at_most,
    min(f.recorded_at) as first_event_at, max(f.recorded_at) as last_event_at,
    (array_agg(f.payload order by f.recorded_at desc, f.id desc)
      filter (where f.payload is not null))[1] as payload
  from fresh f
  join wake w using (topic)
  group by 1, 2, 3, 4
),
made as (
  insert into run as r (job, key, state, due, first_event_at, last_event_at, payload)
  select job, key, 'ready',
    case when $1 then m.at else least(last_event_at + quiet, first_event_at + at_most) end,
    first_event_at, last_event_at, payload
  from folded, moment m
  order by job, key
  on conflict (job, key, state) do update
  set first_event_at = least(r.first_event_at, excluded.first_event_at),
    last_event_at = greatest(r.last_event_at, excluded.last_event_at),
    payload = coalesce(excluded.payload, r.payload),
    -- A run that waits for its next attempt is not hurried by new events, so poison still dies.
    due = case when $1 or r.attempt > 0 then r.due else
      least(greatest(r.last_event_at, excluded.last_event_at)
          + (select quiet from job where name = r.job),
        least(r.first_event_at, excluded.first_event_at)
          + (select at_most from job where name = r.job)) end
  returning 1
),
moved as (
  insert into event_position (snapshot, epoch, set_by)
  select snapshot, epoch, set_by from moment where exists (select from fresh)
),
forgotten as (
  delete from event_position
  where id = (select id from position) and exists (select from fresh)
)
select (select count(*) from fresh), (select count(*) from made)
