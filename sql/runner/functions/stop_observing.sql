-- Unregisters this session from all feeds, so that publishers no longer wake it. The function releases all of the
-- session's advisory locks, because a feed's key may have changed since the session registered.
create or replace function stop_observing() returns void
language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_unlock_all();
  unlisten *;
end $$
