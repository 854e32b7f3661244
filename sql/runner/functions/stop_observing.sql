-- Unregisters this session from all feeds, so that publishers no longer wake it. The function releases all advisory
-- locks of the session, because the key of a feed may have changed since the session registered.
create or replace function stop_observing() returns void
language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_unlock_all();
  unlisten *;
end $$
