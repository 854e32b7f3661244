-- Wakes the hubs that have observers of a feed, at COMMIT, to look at all of its topics. To be called once a statement
-- by whatever changes what they see and cannot say which topics that are; wake_observers_of says it.
create or replace function wake_observers(feed text) returns void
language plpgsql as $$
begin
  perform wake_observers_of(feed, null);
end $$;

comment on function wake_observers is 'Wakes who observes a feed, at COMMIT; costs next to nothing where nobody does.'
