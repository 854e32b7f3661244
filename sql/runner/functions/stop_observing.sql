-- Ends observe for all feeds. It unlocks everything, because observer_key may return another key by now.
create or replace function stop_observing() returns void
language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_unlock_all();
  unlisten *;
end $$
