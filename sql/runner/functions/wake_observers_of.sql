-- Wakes the hubs that have observers of a feed, at COMMIT, and sends the keys of the changed topics, as the feed names
-- them; null: all topics. If the feed has no observers, it sends nothing. A NOTIFY is only a hint: a hub that
-- misses it still polls. If the text is 8,000 bytes or longer, which NOTIFY cannot send, or if a key is null, it means
-- all topics. Keys are separated by line ends, so no key may contain one. Hubs hold the lock shared. This takes it only
-- for an instant, not until COMMIT: else two publishers would take each other for hubs.
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
