-- Enqueues a run of a job, by any of the job's names, and returns the run's id. The function appends an event and does
-- not insert a run, because an uncommitted run could block the dispatch of all events. If several calls with the same
-- key are pending, they become one run. Each call without a key creates a separate run. The function runs with the
-- definer's privileges, so callers need no access to the event log. `run_at` is the due time in domain time, or null
-- for now. `priority` is 1 (first) to 9 (last), or null for the job's priority. A run has the earliest time and the
-- most urgent priority of its calls. If `replace` is true, this call replaces the time, priority and payload of earlier
-- calls.
-- needs: check_call, iso_text
create or replace function enqueue(job text, key text default null, payload jsonb default null,
  run_at timestamptz default null, priority integer default null, replace boolean default false)
returns bigint
language plpgsql security definer set search_path from current as $$
declare
  segment smallint;
  waking bigint;
  needs_key boolean;
  retired_at timestamptz;
  stored text;
  run_id bigint;
  topic text;
  replaces boolean := nullif(replace, false);
begin
  select j.name, j.needs_key, j.retired_at into stored, needs_key, retired_at from job j where j.name = enqueue.job;
  -- The job_alias table contains the later names of renamed jobs.
  if stored is null then
    select j.name, j.needs_key, j.retired_at into stored, needs_key, retired_at
    from job_alias a
    join job j on j.name = a.job
    where a.name = enqueue.job;
  end if;
  if stored is null then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was enqueued. The command `jobs` lists the jobs.';
  end if;
  if retired_at is not null then
    raise exception 'the job % is retired since %', quote_literal(job), iso_text(retired_at)
      using errcode = 'ZB016', hint = 'Nothing was enqueued. The command `jobs retire --undo` makes it available again.';
  end if;
  perform check_call(needs_key, key, payload, run_at, priority, replaces);
  topic := 'enqueue/' || stored;
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
  -- If another session holds the advisory lock `waking`, a worker is already awake or being woken.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return run_id;
end $$
