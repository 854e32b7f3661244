-- The key of the lock that hubs hold while a feed has observers, and the number of its channel. It differs between
-- schemas, and from the key of the workers. Null if NOTIFY is not possible here.
create or replace function observer_key(feed text) returns bigint
language plpgsql stable as $$
begin
  return (select hashtextextended(feed, lock_key) from event_target where may_wake);
end $$
