-- Returns the timeline of a run as JSON. $1: the run's id, or the id of a run that was merged into this run. $2: true
-- for JSON on one line. Rows: one row with the JSON. If the run does not exist, no rows are returned. Locks: none.
-- Indexes: as in the function locate_run. Times are in UTC, regardless of the session's time zone. The made_at field is
-- the time of the first event. The listed attempts are all failed and snoozed attempts, and the last attempt of each
-- run in the history.
with place as materialized (
  select * from locate_run($1, null, null)
),
found as (
  select r.id, r.earlier_ids,
    to_jsonb(r) - 'first_event_at' - 'asked_at' - 'token' - 'has_checkpoint'
      || jsonb_build_object('worker', (select name from worker w where w.id = r.worker), 'state', p.state) as run,
    least(first_event_at, asked_at) as made_at, due, last_event_at, run_at, backoff_until,
    (select requested_at from cancellation c where c.run_id = r.id and r.worker is not null)
      as cancel_requested_at,
    null::timestamptz as died_at, null::timestamptz as ended_at
  from place p
  join run r on r.job = p.job and r.key = p.key and r.id = p.id
  where p.state in ('ready', 'running')
  union all
  select d.id, d.earlier_ids, to_jsonb(d) - 'first_event_at' || '{"state": "dead"}', d.first_event_at, null,
    null, null, null, null, d.died_at, null
  from place p
  join dead_run d on d.id = p.id
  where p.state = 'dead' and not p.has_ended
  union all
  -- This query finds a run whose event is not dispatched yet.
  select e.run_id, null, jsonb_build_object('id', e.run_id, 'job', p.job, 'key', e.key, 'state', p.state,
      'payload', e.payload), e.recorded_at, null, null, e.run_at, null, null, null, null
  from place p
  join unfolded_event e on e.run_id = p.id
  where p.state = 'unfolded' and e.topic = 'enqueue/' || p.job
  union all
  (select h.id, h.earlier_ids, jsonb_build_object('id', h.id, 'job', h.job, 'key', h.key, 'state', h.outcome,
      'attempt', h.attempt, 'earlier_ids', h.earlier_ids, 'error', h.error), h.made_at, null, h.last_event_at,
    null, null, null, null, h.created_at
   from place p
   join run_history h on h.id = p.id
   where p.has_ended
   order by h.created_at desc limit 1)
  union all
  -- This query finds a run that succeeded or was discarded as a dead run, and whose job stores no history.
  select p.id, null, jsonb_build_object('id', p.id, 'job', p.job, 'key', p.key, 'state', p.state),
    null, null, null, null, null, null, null, null
  from place p where p.state = 'ended'
  limit 1
),
attempt as (
  select a.run_id, a.attempt, case when a.is_snooze then 'snoozed' else 'failed' end as outcome, worker, began_at, a.ended_at, error,
    null::jsonb as report, null::jsonb as output
  from found f
  join failed_attempt a on a.run_id = any (f.id || f.earlier_ids)
  union all
  select h.id, h.attempt, outcome, worker, started_at, created_at, null, report, output
  from found f
  join run_history h on h.id = any (f.id || f.earlier_ids)
  -- A dead run's last attempt is among the failed attempts. A run that was cancelled before it started has no last
  -- attempt.
  where outcome <> 'dead' and started_at is not null
),
instant as (
  select name, iso_text(at, '.MS') as text
  from found, lateral (values ('made_at', made_at), ('due', due), ('last_event_at', last_event_at),
    ('died_at', died_at), ('run_at', run_at), ('backoff_until', backoff_until),
    ('cancel_requested_at', cancel_requested_at), ('ended_at', ended_at)) i (name, at)
)
select case when $2 then life::text else jsonb_pretty(life) end
from found, lateral (select
  (select jsonb_object_agg(key, value) from jsonb_each(run) where value not in ('null', '[]'))
  || coalesce((select jsonb_object_agg(name, text) from instant where text is not null), '{}')
  || coalesce((
    select jsonb_build_object('checkpoint', jsonb_strip_nulls(jsonb_build_object('done', c.done, 'total', c.total,
      'saved_at', iso_text(c.saved_at, '.MS'), 'steps', (
        select jsonb_agg(s.name order by s.saved_at, s.name) from run_step s where s.run_id = c.run_id))))
    from run_checkpoint c where c.run_id = found.id and run->>'state' in ('ready', 'running', 'dead')), '{}')
  || jsonb_build_object('attempts', coalesce(
    (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'run', nullif(a.run_id, found.id), 'attempt', attempt, 'outcome', outcome, 'worker', worker,
        'began_at', iso_text(began_at, '.MS'), 'ended_at', iso_text(a.ended_at, '.MS'), 'error', error,
        'report', nullif(report, '{}')))
      || case when output is null then '{}' else jsonb_build_object('output', output) end
      order by a.ended_at)
     from attempt a), '[]')) as life) l
