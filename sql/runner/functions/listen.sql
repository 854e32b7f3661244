-- Registers this session for the NOTIFY messages of writers and other workers, from COMMIT on.
create or replace function listen() returns void
language plpgsql as $$
begin
  execute format('listen %I', 'baton_' || (select lock_key from event_target));
end $$
