-- Empties one segment if every row of it is folded; false where it is in use or holds unfolded rows.
-- NOWAIT, because a queued exclusive lock would stop every writer of the segment. The check is a
-- statement of its own after the lock: no writer of the segment is then open, and it sees them all.
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
