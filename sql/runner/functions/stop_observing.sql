-- Ends what observe began, of all feeds: what observer_key says may be another by now.
create or replace function stop_observing() returns void
language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_unlock_all();
  unlisten *;
end $$
