-- At COMMIT, wakes all hubs that have observers of a feed, and sends the keys of the changed topics. If `keys` is null,
-- contains null or is too long for NOTIFY (8,000 bytes), the message means all topics. If the feed has no observers, no
-- message is sent. If a hub misses a message, it finds the change at the next poll. Keys are separated by line breaks,
-- so a key must not contain a line break. A hub holds a shared advisory lock while a feed has observers. If the
-- function acquires the exclusive lock, no hub observes the feed. The function then releases the lock at once.
-- Otherwise, other publishers could not acquire the lock and would assume that a hub observes the feed.
create or replace function wake_observers_of(feed text, keys text[]) returns void
language plpgsql as $$
declare
  observed bigint := observer_key(feed);
  hint text;
begin
  if observed is null or cardinality(keys) = 0 then
    return;
  end if;
  if pg_try_advisory_lock(observed) then
    perform pg_advisory_unlock(observed);
    return;
  end if;
  hint := array_to_string(feed || keys, E'\n');
  if keys is null or array_position(keys, null) is not null or octet_length(hint) > 7999 then
    hint := feed;
  end if;
  perform pg_notify(observer_channel(feed), hint);
end $$;

comment on function wake_observers_of is 'Wakes who observes these topics of a feed, at COMMIT; null: all of them.'
