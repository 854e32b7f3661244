-- Appends one event for each key to the current segment of the event log, and wakes a worker if no worker is awake. The
-- function contains only static SQL for speed, because every recorded write calls the function.
create or replace function append_events(event_topic text, keys text[]) returns void
language plpgsql as $$
declare
  segment smallint;
  waking bigint;
begin
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key) select event_topic, k from unnest(keys) k;
  elsif segment = 1 then
    insert into event_1 (topic, key) select event_topic, k from unnest(keys) k;
  else
    insert into event_2 (topic, key) select event_topic, k from unnest(keys) k;
  end if;
  -- While a worker is awake, or while another writer wakes a worker, another session holds the advisory lock. The
  -- function never waits for the advisory lock.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$
