-- Appends an event for each new dead run. If no job subscribes to the trigger's topic, no event is appended. A job that
-- subscribes to the topic does not get events about its own dead runs, to prevent an endless loop. The key of an event
-- is the id of the dead run, so that events from two dead runs are never merged. Callers that wait for one of the dead
-- runs are woken even if no event is appended.
-- needs: wake_observers_of
create or replace function dead_run_inserted() returns trigger
language plpgsql set search_path from current as $$
declare
  segment smallint;
  waking bigint;
  keys text[];
  payloads jsonb[];
begin
  perform wake_observers_of('run/' || d.job, array_agg(d.key)) from new_row d group by d.job;
  if not exists (select from job where tg_argv[0] = any (topics)) then
    return null;
  end if;
  -- The payload contains a shortened error, because every claim, retry and merge copies the payload. The row in
  -- dead_run contains the complete error.
  select array_agg(d.id::text order by d.id),
    array_agg(jsonb_build_object('died', jsonb_build_object('id', d.id, 'job', d.job, 'key', d.key,
      'attempts', d.attempt, 'error', left(d.error, 2000))) order by d.id)
  into keys, payloads
  from new_row d
  where not exists (select from job j where j.name = d.job and tg_argv[0] = any (j.topics));
  if keys is null then
    return null;
  end if;
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key, payload)
    select tg_argv[0], k, p from unnest(keys, payloads) e (k, p);
  elsif segment = 1 then
    insert into event_1 (topic, key, payload)
    select tg_argv[0], k, p from unnest(keys, payloads) e (k, p);
  else
    insert into event_2 (topic, key, payload)
    select tg_argv[0], k, p from unnest(keys, payloads) e (k, p);
  end if;
  -- If another session holds the advisory lock `waking`, a worker is already awake or being woken.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$
