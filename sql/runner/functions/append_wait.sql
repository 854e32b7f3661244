-- Appends a sent event to the event log, or records in the log that the run `run_id` begins to wait for an event. The
-- dispatcher stores sent events and wakes the runs that wait for these events (statement fold). The log contains the
-- beginning of each wait, because the waiting transaction and the sending transaction do not see each other's rows.
-- When the later of the two log rows is dispatched, the dispatcher sees both the wait and the event.
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
  -- While a worker is awake, or while another writer wakes a worker, another session holds the advisory lock. The
  -- function never waits for the advisory lock.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$
