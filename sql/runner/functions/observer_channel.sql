-- Returns the name of the channel on which publishers of a feed notify hubs. The name is secret, unlike the key of the
-- lock of the feed, which all logins see in pg_locks.
create or replace function observer_channel(feed text) returns text
language plpgsql stable as $$
begin
  return (select channel || '_' || to_hex(hashtextextended(feed, 0)) from event_target);
end $$
