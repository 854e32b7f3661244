-- A template: the function of a trigger that a job declares, made once by `migrate`. It is plain static SQL, because it
-- is in the write path. Only its trigger may execute it: any other role with that right could put it on a table of its
-- own. Rows: none. Locks: none of the table's.
create or replace function {function}() returns trigger
language plpgsql security definer set search_path from current{settings} as $$
declare
  segment smallint;
  waking bigint;
  origin text := nullif(current_setting('baton.origin', true), '');
begin
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 ({columns}, origin)
    select e.*, case when origin >= '16' then refuse_origin(origin) else origin end
    from (
    {events}) e;
  elsif segment = 1 then
    insert into event_1 ({columns}, origin)
    select e.*, case when origin >= '16' then refuse_origin(origin) else origin end
    from (
    {events}) e;
  else
    insert into event_2 ({columns}, origin)
    select e.*, case when origin >= '16' then refuse_origin(origin) else origin end
    from (
    {events}) e;
  end if;
  -- Held by a worker that is awake, or by a writer that wakes one: never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$;
revoke execute on function {function}() from public
