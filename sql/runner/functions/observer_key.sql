-- Returns the key of the advisory lock that hubs hold while a feed has observers. If NOTIFY is not possible, the result
-- is null. Each schema has a distinct key, which also differs from the key of the workers' lock.
create or replace function observer_key(feed text) returns bigint
language plpgsql stable as $$
begin
  return (select hashtextextended(feed, lock_key) from event_target where may_wake);
end $$
