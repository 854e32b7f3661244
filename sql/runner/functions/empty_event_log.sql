-- Empties all segments, in the transaction that has folded every row of a log from another cluster.
-- The caller holds their locks; whoever has not set the position in this transaction is refused.
create or replace function empty_event_log() returns void
language plpgsql security definer set search_path from current as $$
begin
  if not exists (select from event_position where set_by = pg_current_xact_id()) then
    raise exception 'the event log is emptied by whoever has just folded it'
      using errcode = 'ZB031', hint = 'Nothing was changed.';
  end if;
  truncate event_0, event_1, event_2;
end $$
