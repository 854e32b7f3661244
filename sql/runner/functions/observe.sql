-- Lets publishers of a feed wake this session, from COMMIT on. False: a publisher tries the lock at this instant. Null:
-- NOTIFY is not possible here. docs/internals/live.md lists the interleavings.
create or replace function observe(feed text) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  observed bigint := observer_key(feed);
begin
  if observed is null then
    return null;
  end if;
  execute format('listen %I', 'baton_' || observed);
  return pg_try_advisory_lock_shared(observed);
end $$
