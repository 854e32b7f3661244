-- Enqueues a run of a job, from any language, and returns the id by which `runs show` finds it. It appends an event as
-- triggers do: if it inserted a ready run, an open transaction would block every dispatcher at the primary key. Waiting
-- calls of one key become one run; without a key each call has its own run. It runs with the owner's rights, so that a
-- role can be granted this function and nothing of the log. The run is due at `run_at` (domain time), or now. With
-- `replace`, time, priority and payload of this call replace those of earlier calls, even if its time is later; else
-- the earliest time counts. `priority`: 1 goes first, 9 last; of several calls the most urgent counts; null: the job's
-- own.
-- needs: check_call
create or replace function enqueue(job text, key text default null, payload jsonb default null,
  run_at timestamptz default null, priority integer default null, replace boolean default false)
returns bigint
language plpgsql security definer set search_path from current as $$
declare
  segment smallint;
  waking bigint;
  needs_key boolean := (select j.needs_key from job j where j.name = enqueue.job);
  run_id bigint;
  topic text := 'enqueue/' || job;
  replaces boolean := nullif(replace, false);
begin
  if needs_key is null then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was enqueued. The command `jobs` lists the jobs.';
  end if;
  perform check_call(needs_key, key, payload, run_at, priority, replaces);
  run_id := nextval('run_id_seq');
  key := coalesce(key, '#' || run_id);
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key, payload, run_id, run_at, replaces, priority)
    values (topic, key, payload, run_id, run_at, replaces, priority);
  elsif segment = 1 then
    insert into event_1 (topic, key, payload, run_id, run_at, replaces, priority)
    values (topic, key, payload, run_id, run_at, replaces, priority);
  else
    insert into event_2 (topic, key, payload, run_id, run_at, replaces, priority)
    values (topic, key, payload, run_id, run_at, replaces, priority);
  end if;
  -- A worker that is awake holds this lock, or a writer that wakes one. So it is tried and never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return run_id;
end $$
