-- Wakes the hubs that have observers of a feed, at COMMIT, to read all of its topics again. Code that changes what
-- observers see, and cannot name the topics, calls this once a statement. If it can name them, it calls
-- wake_observers_of.
create or replace function wake_observers(feed text) returns void
language plpgsql as $$
begin
  perform wake_observers_of(feed, null);
end $$;

comment on function wake_observers is 'Notifies the observers of a feed at COMMIT; costs next to nothing without observers.'
