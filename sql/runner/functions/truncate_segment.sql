-- Empties one segment if every row of it is folded. False: it is in use, or some rows are not folded yet. NOWAIT,
-- because a queued exclusive lock would block every writer of the segment. The check is a separate statement after the
-- lock: no writer of the segment is then active, and it sees all rows.
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
