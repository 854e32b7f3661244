-- Merges the calls of a dispatch into one row for each job and key (CTE `named`). The `fresh` CTE contains the events
-- of the dispatch. The values of a key's newest call (highest event number) take precedence. A call with `replace`
-- replaces all earlier calls for the same job and key. The row contains only the ids of replaced calls. Statements that
-- include the fragment continue with the fold_runs fragment. Rows: none, because the fragment is only part of a
-- statement. Locks: none. Index: recent_run_pkey.
wake as materialized (
  -- Without MATERIALIZED, the join would read all events once for each topic.
  select t.topic, name, keeps_payloads, joins_changes, priority
  from job, unnest(topics) t (topic)
  -- If a job was retired after a call was accepted, the call still becomes a run.
  where retired_at is null
  union all
  select 'enqueue/' || name, name, keeps_payloads, joins_changes, priority from job
),
-- The `received` CTE contains each call of each job. `replaced_by` is the event number of the key's newest call that
-- has `replace`. The run gets the payload and the id of the call with the event number `payload_event`.
received as (
  select w.name as job, f.key, f.id, f.run_id, f.payload, f.run_at, f.origin, f.trace, w.joins_changes,
    -- If the server's clock was set back after a call, the call does not delay its run.
    least(f.recorded_at, statement_timestamp()) as recorded_at,
    coalesce(f.priority, w.priority) as priority,
    max(f.id) filter (where f.replaces) over of_key as replaced_by,
    max(f.id) filter (where f.payload is not null or f.replaces) over of_key as payload_event,
    bool_or(f.run_at is not null or f.priority is not null) over of_key as is_timed
  from fresh f
  join wake w using (topic)
  window of_key as (partition by w.name, f.key)
),
-- The `stands` column is false for replaced calls. If the job merges changes, `began_event` is the event number of the
-- key's first change that was not replaced.
checked as (
  select *, id >= coalesce(replaced_by, 0) as stands,
    min(id) filter (where joins_changes and payload is not null and id >= coalesce(replaced_by, 0))
      over (partition by job, key) as began_event
  from received
),
-- GROUP BY uses the same columns as the window functions of the `received` and `checked` CTEs, so PostgreSQL sorts the
-- calls only once.
folded as (
  select job, key,
    min(recorded_at) filter (where run_at is null and stands) as first_event_at,
    max(recorded_at) filter (where run_at is null and stands) as last_event_at,
    min(run_at) filter (where stands) as run_at,
    min(recorded_at) filter (where run_at is not null and stands) as asked_at,
    max(id) as newest_event,
    max(payload_event) as payload_event,
    max(replaced_by) as replaced_by,
    min(priority) filter (where stands) as priority,
    -- The text of an origin begins with the length of a chain of runs. The function min() therefore returns the origin
    -- with the shortest chain. The origin of an event is empty if no job caused the event.
    min(coalesce(origin, '')) filter (where stands) as origin,
    -- The `trace` column contains the trace contexts of the calls, oldest first.
    left(string_agg(trace, ' ' order by id)
      filter (where stands and trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'), 447) as trace,
    array_agg(run_id) filter (where run_id is not null) as ids,
    max(run_id) filter (where payload_event is null or id = payload_event) as run_id,
    (array_agg(payload) filter (where id = payload_event))[1] as payload,
    (array_agg(payload) filter (where id = began_event))[1] as began,
    -- If one of a run's calls has a time or a priority, the run's calls are stored in the `calls` column. A later
    -- dispatch may contain a call with `replace` that replaces only some of these calls.
    case when count(*) > 1 and bool_or(is_timed) then merge_calls(
      array_agg(row(id, recorded_at, run_at, priority)::run_call) filter (where is_timed), max(replaced_by)) end as calls
  from checked
  group by job, key
),
named as (
  select f.job, f.key, j.quiet, j.at_most, j.every, f.replaced_by, f.payload_event, f.first_event_at, f.last_event_at,
    f.run_at, f.asked_at, f.newest_event, f.priority, f.origin, f.trace, f.ids, f.calls,
    coalesce(f.run_id, nextval('run_id_seq')) as run_id,
    case when j.joins_changes then later_payload(f.job, f.began, f.payload) else f.payload end as payload,
    case when l.group_field is not null or l.group_separator is not null then
      group_of(l.group_field, l.group_separator, l.group_part, f.key, f.payload) end as group_key,
    l.group_concurrency is not null or l.group_interval is not null as is_grouped,
    -- If the job is throttled, the key's next run must not start before the instant free_at.
    case when j.every is not null then (
      select r.free_at from recent_run r where r.job = f.job and r.key = f.key
      order by r.free_at desc limit 1) end as free_at
  from folded f
  join job j on j.name = f.job
  left join job_limit l on l.job = f.job
),
