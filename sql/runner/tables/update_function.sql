-- A template: the function of a trigger on updates without a payload. Most updates change none of the watched columns:
-- so it searches for keys first, and reads the segment only if it finds some. Only its trigger may execute it: any
-- other role with that right could put it on a table of its own. Rows: none. Locks: none of the table's.
create or replace function {function}() returns trigger
language plpgsql security definer set search_path from current{settings} as $$
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
  -- Held by a worker that is awake, or by a writer that wakes one: never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$;
revoke execute on function {function}() from public
