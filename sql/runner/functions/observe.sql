-- Lets publishers of a feed wake this session, from COMMIT on; false: one of them tries the lock at this instant,
-- null: nobody may notify here. docs/internals/live.md has the interleavings.
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
