-- Returns the key of the lock that hubs use while a feed has observers, or null if NOTIFY is not possible. The key
-- differs between schemas, and from the key of the workers.
create or replace function observer_key(feed text) returns bigint
language plpgsql stable as $$
begin
  return (select hashtextextended(feed, lock_key) from event_target where may_wake);
end $$
