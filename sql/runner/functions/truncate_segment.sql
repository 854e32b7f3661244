-- Truncates a segment of the event log if all its events are dispatched. The result is false if the segment is in use
-- or contains other events. The lock uses NOWAIT, because a waiting lock would block all writers of the segment. The
-- events are checked after the lock was acquired, because no other transaction can then be writing, and all events are
-- visible.
create or replace function truncate_segment(segment integer) returns boolean
language plpgsql as $$
declare
  holds_unfolded boolean;
begin
  execute format('lock table event_%s in access exclusive mode nowait', segment);
  execute format(
    'select exists (select from event_%s e, event_position p
      where not pg_visible_in_snapshot(e.xact, p.snapshot))', segment) into holds_unfolded;
  if holds_unfolded then
    return false;
  end if;
  execute format('truncate event_%s', segment);
  return true;
exception
  when lock_not_available then return false;
end $$
