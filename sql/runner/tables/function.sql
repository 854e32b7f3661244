-- The template creates the function of a trigger that a job declares. The function uses only static SQL, because every
-- write to the table calls it. Only the trigger may execute the function, so that no other role can attach the function
-- to its own table. Rows: none. Locks: none on the table.
create or replace function {function}() returns trigger
language plpgsql security definer set search_path from current{settings} as $${options}
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
  -- If there is no event, no worker is woken. The advisory lock is not available while a worker is awake or another
  -- writer is waking a worker. The function never waits for the lock.
  if found and pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$;
revoke execute on function {function}() from public
