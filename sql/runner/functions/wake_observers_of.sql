-- Wakes the hubs that have observers of a feed, at COMMIT, and says what of it changed by the keys of topics, as the feed
-- calls them; null: all. Where nobody observes it sends nothing. A hint: who misses it polls all the same. What a NOTIFY
-- cannot carry, 8,000 bytes and more, says all, as does a key that is null; a line holds one key, so none may have two.
-- The lock is held shared by hubs. It is taken for an instant and not until COMMIT: two publishers at once would
-- take each other for hubs.
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
  perform pg_notify('baton_' || observed, hint);
end $$;

comment on function wake_observers_of is 'Wakes who observes these topics of a feed, at COMMIT; null: all of them.'
