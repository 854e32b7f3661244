-- Returns the name of the NOTIFY channel on which publishers of a feed notify hubs. The channel's name is secret, but
-- all logins can see the feed's lock key in pg_locks.
create or replace function observer_channel(feed text) returns text
language plpgsql stable as $$
begin
  return (select channel || '_' || to_hex(hashtextextended(feed, 0)) from event_target);
end $$
