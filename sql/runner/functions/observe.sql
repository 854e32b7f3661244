-- Registers this session for wake-ups by the publishers of a feed, from COMMIT on. The result is false if a publisher
-- is testing the feed's advisory lock at the same time, and null if NOTIFY is not possible. docs/internals/live.md
-- describes how sessions and publishers interleave.
create or replace function observe(feed text) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  observed bigint := observer_key(feed);
begin
  if observed is null then
    return null;
  end if;
  execute format('listen %I', observer_channel(feed));
  return pg_try_advisory_lock_shared(observed);
end $$
