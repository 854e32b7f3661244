-- Appends an event for each run that has died, in the transaction in which it dies. If no job is on the trigger's
-- topic, it appends nothing. It also appends nothing for a dead run of a job on that topic: that job would get an event
-- for its own death, fail again, and loop forever. The key is the dead run's id. Of several events with one key only
-- the newest payload is read, so any other key would lose deaths.
create or replace function dead_run_inserted() returns trigger
language plpgsql set search_path from current as $$
declare
  segment smallint;
  waking bigint;
  keys text[];
  payloads jsonb[];
begin
  if not exists (select from job where tg_argv[0] = any (topics)) then
    return null;
  end if;
  -- The error is cut, because every claim, retry and merge copies the payload. The dead run has the whole error.
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
  -- A worker that is awake holds this lock, or a writer that wakes one. So it is tried and never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$
