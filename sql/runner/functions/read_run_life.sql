-- Returns the timeline of a run as JSON, for roles that may not read keys, errors, payloads and outputs. Keys and
-- errors are redacted, and payloads and outputs are omitted. The given id may also belong to a run that was merged into
-- another run. If job and key are given, the function first searches for the run with this job and key. A key that
-- would be redacted is not used for the search, because the response time would confirm a guessed address. If no job or
-- no usable key is given, the function reads all runs, because no index contains the ids. The timeline contains all
-- failed and snoozed attempts, and the last attempt of each run in the history. Manual actions are searched only in the
-- 10,000 most recent audit rows.
-- needs: redacted, whole_words, iso_text, unfolded_event
create or replace function read_run_life(of_id bigint, of_job text, of_key text)
returns jsonb
language plpgsql stable security definer set search_path from current as $$
declare
  found_run jsonb;
  made_at timestamptz;
  ids bigint[];
begin
  select to_jsonb(r) || jsonb_build_object('state', case when r.worker is null then 'ready' else 'running' end),
    least(r.first_event_at, r.asked_at) into found_run, made_at
  from run r
  where r.job = of_job and r.key = of_key and redacted(of_key) = of_key and (r.id = of_id or of_id = any (r.earlier_ids))
  limit 1;
  if found_run is null then
    select to_jsonb(d) || '{"state": "dead"}', d.first_event_at into found_run, made_at
    from dead_run d where d.id = of_id;
  end if;
  if found_run is null then
    select to_jsonb(r) || jsonb_build_object('state', case when r.worker is null then 'ready' else 'running' end),
    least(r.first_event_at, r.asked_at) into found_run, made_at
    from run r
    where r.id = of_id or of_id = any (r.earlier_ids)
    limit 1;
  end if;
  if found_run is null then
    select to_jsonb(d) || '{"state": "dead"}', d.first_event_at into found_run, made_at
    from dead_run d where of_id = any (d.earlier_ids)
    limit 1;
  end if;
  -- This query finds a run whose event is not dispatched yet.
  if found_run is null then
    select jsonb_build_object('id', e.run_id, 'job', substr(e.topic, length('enqueue/') + 1), 'key', e.key,
        'state', 'unfolded', 'payload', e.payload, 'run_at', e.run_at, 'priority', e.priority),
      e.recorded_at
    into found_run, made_at
    from unfolded_event e where e.run_id = of_id and e.topic >= 'enqueue/' and e.topic < 'enqueue0'
    limit 1;
  end if;
  if found_run is null then
    select jsonb_build_object('id', h.id, 'job', h.job, 'key', h.key, 'state', h.outcome,
        'attempt', h.attempt, 'earlier_ids', h.earlier_ids, 'error', h.error,
        'last_event_at', h.last_event_at, 'ended_at', h.created_at), h.made_at
    into found_run, made_at
    from run_history h
    where h.id = of_id or h.earlier_ids @> array[of_id]
    order by h.created_at desc
    limit 1;
  end if;
  -- This query finds a run that succeeded or was discarded as a dead run, and whose job stores no history.
  if found_run is null then
    select jsonb_build_object('id', a.run_id, 'job', a.job, 'key', a.key, 'state', 'ended')
    into found_run
    from failed_attempt a where a.run_id = of_id
    limit 1;
  end if;
  if found_run is null then
    return null;
  end if;
  select (found_run->>'id')::bigint || coalesce(array_agg(i.id::bigint), '{}') into ids
  from jsonb_array_elements_text(coalesce(nullif(found_run->'earlier_ids', 'null'), '[]')) i (id);
  return jsonb_strip_nulls(jsonb_build_object(
    'id', found_run->'id', 'job', found_run->'job', 'key', redacted(found_run->>'key'),
    'state', found_run->'state', 'attempt', found_run->'attempt', 'priority', found_run->'priority',
    'error', redacted(coalesce(found_run->>'last_error', found_run->>'error')),
    'hasPayload', coalesce(found_run->'payload', 'null') <> 'null',
    'worker', (select w.name from worker w where w.id = (found_run->>'worker')::uuid),
    'earlierIds', coalesce(nullif(found_run->'earlier_ids', 'null'), '[]'),
    'madeAt', iso_text(made_at, '.US'),
    'checkpoint', (
      select jsonb_build_object('done', c.done, 'total', c.total, 'savedAt', iso_text(c.saved_at, '.US'), 'steps', (
        select jsonb_agg(s.name order by s.saved_at, s.name) from run_step s where s.run_id = c.run_id))
      from run_checkpoint c
      where c.run_id = (found_run->>'id')::bigint and found_run->>'state' in ('ready', 'running', 'dead')),
    'cancelRequestedAt', (
      select iso_text(c.requested_at, '.US') from cancellation c
      where c.run_id = (found_run->>'id')::bigint and found_run->>'state' = 'running')))
    || (
      select coalesce(jsonb_object_agg(i.name, iso_text(i.at, '.US')), '{}')
      from (values ('due', found_run->>'due'), ('lastEventAt', found_run->>'last_event_at'),
        ('runAt', found_run->>'run_at'), ('backoffUntil', found_run->>'backoff_until'),
        ('diedAt', found_run->>'died_at'), ('endedAt', found_run->>'ended_at')) t (name, text),
      lateral (select t.name, t.text::timestamptz as at) i
      where isfinite(i.at))
    -- The statement record_failed stores at most 2,000 characters of an error, so a text of this length may be cut.
    || jsonb_build_object('attempts', (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'run', nullif(a.run_id, (found_run->>'id')::bigint), 'attempt', a.attempt, 'outcome', a.outcome,
          'worker', a.worker, 'beganAt', iso_text(a.began_at, '.US'), 'endedAt', iso_text(a.ended_at, '.US'),
          'error', redacted(whole_words(a.error, 1999)), 'report', nullif(a.report, '{}'))) order by a.ended_at), '[]')
      from (
        select f.run_id, f.attempt, case when f.is_snooze then 'snoozed' else 'failed' end as outcome, f.worker,
          f.began_at, f.ended_at, f.error, null::jsonb as report
        from failed_attempt f where f.run_id = any (ids)
        union all
        select h.id, h.attempt, h.outcome, h.worker, h.started_at, h.created_at, null, h.report
        from run_history h
        -- A dead run's last attempt is among the failed attempts. A run that was cancelled before it started has no
        -- last attempt.
        where h.id = any (ids) and h.outcome <> 'dead' and h.started_at is not null) a),
      'actions', (
      select coalesce(jsonb_agg(jsonb_build_object('at', iso_text(u.at, '.US'), 'action', u.action,
          'by', redacted(coalesce(u.os_user, u.login))) order by u.day, u.number), '[]')
      from (select * from audit order by day desc, number desc limit 10000) u
      -- Products write audit rows too, so the subject's `run` may be any text.
      where u.subject->>'run' = any (ids::text[])));
end $$
