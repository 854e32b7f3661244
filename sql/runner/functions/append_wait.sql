-- Appends a sent event to the event log, or records in the log that the run `run_id` is starting to wait for an event.
-- The dispatcher stores sent events and wakes the runs that wait for these events (statement fold). The log contains
-- both waits and events. If a wait and an event are recorded concurrently, the dispatcher still wakes the run.
create or replace function append_wait(topic text, key text, payload jsonb default null, run_id bigint default null)
returns void
language plpgsql as $$
declare
  segment smallint;
  waking bigint;
begin
  topic := 'wait/' || topic;
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key, payload, run_id) values (topic, key, payload, run_id);
  elsif segment = 1 then
    insert into event_1 (topic, key, payload, run_id) values (topic, key, payload, run_id);
  else
    insert into event_2 (topic, key, payload, run_id) values (topic, key, payload, run_id);
  end if;
  -- If another session holds the advisory lock `waking`, a worker is already awake or being woken.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$
