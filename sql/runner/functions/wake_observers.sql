-- Wakes the hubs that have observers of a feed, at COMMIT; where there are none it sends nothing. To be called once
-- a statement by whatever changes what they see. A hint: who misses it polls all the same.
-- The lock is held shared by hubs. It is taken for an instant and not until COMMIT: two publishers at once would
-- take each other for hubs.
create or replace function wake_observers(feed text) returns void
language plpgsql as $$
declare
  observed bigint := observer_key(feed);
begin
  if observed is null then
    return;
  end if;
  if pg_try_advisory_lock(observed) then
    perform pg_advisory_unlock(observed);
  else
    perform pg_notify('baton_' || observed, feed);
  end if;
end $$;

comment on function wake_observers is 'Wakes who observes a feed, at COMMIT; costs next to nothing where nobody does.'
