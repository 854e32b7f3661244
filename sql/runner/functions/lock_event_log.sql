-- Blocks all writers of an event log from another cluster until the transaction ends. Workers need the function,
-- because workers without the TRUNCATE privilege may not lock the tables themselves. Locks: all segments, ACCESS
-- EXCLUSIVE.
create or replace function lock_event_log() returns void
language plpgsql security definer set search_path from current as $$
begin
  if exists (select from own_position) then
    raise exception 'the event log belongs to this cluster and may not be locked'
      using errcode = 'ZB031', hint = 'Nothing was changed.';
  end if;
  lock table event_0, event_1, event_2 in access exclusive mode;
end $$
