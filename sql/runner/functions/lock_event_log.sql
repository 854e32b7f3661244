-- Keeps every writer out of the log, for a log that came from another cluster, until the end of the transaction.
-- For workers, who may not lock what they may not empty. Locks: all segments, ACCESS EXCLUSIVE.
create or replace function lock_event_log() returns void
language plpgsql security definer set search_path from current as $$
begin
  if exists (select from own_position) then
    raise exception 'the event log is of this cluster: nobody locks it'
      using errcode = 'ZB031', hint = 'Nothing was changed.';
  end if;
  lock table event_0, event_1, event_2 in access exclusive mode;
end $$
