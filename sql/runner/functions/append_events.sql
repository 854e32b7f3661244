-- Appends one event for each key to the current segment of the log, and wakes a worker if none is awake.
-- It is plain static SQL, because it is in the write path.
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
  -- A worker that is awake holds this lock, or a writer that wakes one. So it is tried and never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$
