-- Truncates all segments of an event log from another cluster. Before the call, the caller's transaction must call
-- lock_event_log, dispatch all events, and set the position. If the position has not been set, the function rejects the
-- call.
create or replace function empty_event_log() returns void
language plpgsql security definer set search_path from current as $$
begin
  if not exists (select from event_position where set_by = pg_current_xact_id()) then
    raise exception 'the event log may only be emptied in the transaction that has just folded it'
      using errcode = 'ZB031', hint = 'Nothing was changed.';
  end if;
  truncate event_0, event_1, event_2;
end $$
