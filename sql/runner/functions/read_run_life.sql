-- Returns the timeline of a run as JSON, for roles that may not read keys, errors, payloads and outputs. Keys and
-- errors are redacted, and payloads and outputs are omitted. The given id may also belong to a run that was merged into
-- another run. A key that would be redacted is not used for the search (locate_run), because the response time would
-- confirm a guessed address. The timeline contains all failed and snoozed attempts, and the last attempt of each run in
-- the history. Manual actions are searched only in the 10,000 most recent audit rows.
-- needs: redacted, whole_words, iso_text, locate_run, unfolded_event
create or replace function read_run_life(of_id bigint, of_job text, of_key text)
returns jsonb
language plpgsql stable security definer set search_path from current as $$
declare
  place record;
  found_run jsonb;
  made_at timestamptz;
  ids bigint[];
begin
  select l.* into place from locate_run(of_id, of_job, case when redacted(of_key) = of_key then of_key end) l;
  if not found then
    return null;
  end if;
  if place.state = 'ended' then
    found_run := jsonb_build_object('id', place.id, 'job', place.job, 'key', place.key);
  elsif place.state = 'unfolded' then
    select jsonb_build_object('id', e.run_id, 'job', place.job, 'key', e.key, 'payload', e.payload, 'run_at', e.run_at,
        'priority', e.priority), e.recorded_at into found_run, made_at
    from unfolded_event e where e.run_id = place.id and e.topic = 'enqueue/' || place.job
    limit 1;
  elsif place.has_ended then
    select jsonb_build_object('id', h.id, 'job', h.job, 'key', h.key, 'attempt', h.attempt,
        'earlier_ids', h.earlier_ids, 'error', h.error, 'last_event_at', h.last_event_at, 'ended_at', h.created_at),
      h.made_at into found_run, made_at
    from run_history h where h.id = place.id
    order by h.created_at desc
    limit 1;
  elsif place.state = 'dead' then
    select to_jsonb(d), d.first_event_at into found_run, made_at from dead_run d where d.id = place.id;
  else
    select to_jsonb(r), least(r.first_event_at, r.asked_at) into found_run, made_at
    from run r where r.job = place.job and r.key = place.key and r.id = place.id;
  end if;
  found_run := found_run || jsonb_build_object('state', place.state);
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
