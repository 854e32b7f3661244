-- Truncates a segment of the event log if all its events have been dispatched. The result is false if the segment is in
-- use, or contains undispatched events. The lock uses NOWAIT, because a waiting lock request would block all writers of
-- the segment. The function first checks the events without the lock, to avoid an unnecessary lock. The function checks
-- the events again while it holds the lock, because no other transaction can then write events. Both checks search the
-- index on the transaction id, so their duration does not depend on the number of rows.
create or replace function truncate_segment(segment integer) returns boolean
-- Without this setting, the statistics of a new segment would lead to a scan of the whole segment.
language plpgsql set enable_seqscan to off as $$
declare
  look constant text := format(
    'select exists (select from event_%1$s where xact >= (
        select pg_snapshot_xmax(snapshot) from event_position order by id desc limit 1))
      or exists (select from event_%1$s where xact = any (array(
        select pg_snapshot_xip(snapshot) from (
          select snapshot from event_position order by id desc limit 1) p)))', segment);
  holds_unfolded boolean;
begin
  execute look into holds_unfolded;
  if holds_unfolded then
    return false;
  end if;
  execute format('lock table event_%s in access exclusive mode nowait', segment);
  execute look into holds_unfolded;
  if holds_unfolded then
    return false;
  end if;
  execute format('truncate event_%s', segment);
  return true;
exception
  when lock_not_available then return false;
end $$
