-- Sends an event to all runs that wait, now or later, for its topic and key (run.waitForEvent). The event is part of
-- the caller's transaction. The function runs with the definer's privileges, so callers need no access to the event
-- log. Errors: ZB006 (topic or key), ZB007 (payload larger than 64 KB). Locks: none.
-- needs: append_wait, is_key
create or replace function send_event(topic text, key text, payload jsonb default null) returns void
language plpgsql security definer set search_path from current as $$
begin
  if (topic collate "C" ~ '^[A-Za-z0-9._-]{1,100}$') is not true then
    raise exception 'the topic of an event has 1 to 100 letters, digits, hyphens, underscores and dots, unlike %',
        quote_nullable(left(topic, 100))
      using errcode = 'ZB006', hint = 'No event was sent. Use the topic with which the job calls waitForEvent.';
  end if;
  if is_key(key) is not true then
    raise exception 'the key of an event has 1 to 256 bytes and no control characters (topic %)', quote_literal(topic)
      using errcode = 'ZB006', hint = 'No event was sent. Use the key with which the job calls waitForEvent.';
  end if;
  -- The payload has the same limit as the result of a step.
  if octet_length(payload::text) > 65536 then
    raise exception 'the payload of an event has at most 65536 bytes; this one has % bytes (topic %)',
        octet_length(payload::text), quote_literal(topic)
      using errcode = 'ZB007', hint = 'No event was sent. Keep the data in a table and send its id.';
  end if;
  perform append_wait(topic, key, payload);
end $$
