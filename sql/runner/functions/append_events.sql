-- Appends one event for each key to the current segment of the event log, and wakes a worker if no worker is awake. The
-- function uses only static SQL, because every recorded write calls it. If one key is invalid, the caller's write fails
-- (ZB006).
-- needs: is_key, refuse_key
create or replace function append_events(event_topic text, keys text[]) returns void
language plpgsql as $$
declare
  segment smallint;
  waking bigint;
  source text := 'an event with the topic ' || coalesce(event_topic, 'NULL');
begin
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key)
    select event_topic, case when is_key(k) then k else refuse_key(k, source) end from unnest(keys) k;
  elsif segment = 1 then
    insert into event_1 (topic, key)
    select event_topic, case when is_key(k) then k else refuse_key(k, source) end from unnest(keys) k;
  else
    insert into event_2 (topic, key)
    select event_topic, case when is_key(k) then k else refuse_key(k, source) end from unnest(keys) k;
  end if;
  -- If another session holds the advisory lock `waking`, a worker is already awake or being woken.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$
