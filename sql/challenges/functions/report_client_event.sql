-- Counts an event that a phone reports about itself: a failed write, a failed link, or the time taken to fetch a board.
-- If the user's phones have reached the limit for a UTC day, the result is false and the event is not counted. The
-- result is not an error, because the phone should not repeat the call. Concurrent calls by one user run one after
-- another.
create or replace function report_client_event(
  actor text, event_id uuid, kind text, milliseconds integer default null
) returns boolean
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(kind)]);
  at constant timestamptz := domain_now();
begin
  perform require_claim(actor);
  if event_id is null or kind is null
    or kind not in (select unnest(enum_range(null::client_event_kind))::text) then
    perform refuse('invalidInput', 'a client event needs an id and a kind that there is',
      'Nothing was counted. Send write_failed, link_failed or board_fetched.');
  elsif (kind = 'board_fetched') <> (milliseconds is not null)
    or milliseconds not between 0 and 600000 then
    perform refuse('invalidInput', 'a board_fetched took 0 to 600,000 ms; nothing else has a time',
      'Nothing was counted. Send the time of a board_fetched, and of nothing else.');
  end if;
  perform from users u where u.id = actor for no key update;
  if not found then
    perform require_actor(actor);
  end if;
  if exists (select from client_event e where e.user_id = actor and e.id = event_id) then
    return true;
  elsif (select count(*) from client_event e
      where e.user_id = actor
        and e.recorded_at >= date_trunc('day', at at time zone 'UTC') at time zone 'UTC'
        -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
        and e.recorded_at <= at + interval '1 minute')
    >= (select client_events_a_day from setting) then
    return false;
  end if;
  insert into client_event (id, user_id, kind, milliseconds, recorded_at)
  values (event_id, actor, report_client_event.kind::client_event_kind,
    report_client_event.milliseconds, at);
  return true;
end $$;

comment on function report_client_event is
  'Counts what a phone of the actor reports. Safe to repeat with the same id.'
