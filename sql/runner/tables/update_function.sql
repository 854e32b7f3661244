-- The template creates the function of a trigger that runs on UPDATE or has a condition, if the declaration has no
-- payload. Most updates do not change the watched columns, and many rows do not satisfy a condition. The function
-- collects the keys first, and reads the current segment only if there are keys. Only the trigger may execute the
-- function, so that no other role can attach the function to its own table. Rows: none. Locks: none on the table.
create or replace function {function}() returns trigger
language plpgsql security definer set search_path from current{settings} as $${options}
declare
  keys text[] := array(
    select e.key from (
    {events}) e);
  segment smallint;
  origin text;
  waking bigint;
begin
  if cardinality(keys) = 0 then
    return null;
  end if;
  select current, wake_key into segment, waking from event_target;
  origin := nullif(current_setting('baton.origin', true), '');
  if origin >= '16' then
    perform refuse_origin(origin);
  end if;
  if segment = 0 then
    insert into event_0 (topic, key, origin) select '{topic}', k, origin from unnest(keys) k;
  elsif segment = 1 then
    insert into event_1 (topic, key, origin) select '{topic}', k, origin from unnest(keys) k;
  else
    insert into event_2 (topic, key, origin) select '{topic}', k, origin from unnest(keys) k;
  end if;
  -- The advisory lock is not available while a worker is awake or another writer is waking a worker. The function never
  -- waits for the lock.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$;
revoke execute on function {function}() from public
