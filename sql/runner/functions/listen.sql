-- Registers this session for NOTIFY messages from writers and other workers, from COMMIT on.
create or replace function listen() returns void
language plpgsql as $$
begin
  execute format('listen %I', (select channel from event_target));
end $$
