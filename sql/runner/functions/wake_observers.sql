-- At COMMIT, wakes all hubs that have observers of a feed. Each woken hub rereads all of the feed's topics. Each
-- statement that changes observed data calls the function once. If the changed topics are known, the statement calls
-- wake_observers_of instead.
create or replace function wake_observers(feed text) returns void
language plpgsql as $$
begin
  perform wake_observers_of(feed, null);
end $$;

comment on function wake_observers is 'Notifies the observers of a feed at COMMIT; costs next to nothing without observers.'
