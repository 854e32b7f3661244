-- Truncates segments whose events have all been dispatched, and returns the number of truncated segments. If the
-- current segment is not empty and has been used for more than a minute, the function switches writers to the next
-- segment. The function switches only to an empty segment. The caller must have locked event_cursor, so that no other
-- session dispatches events.
create or replace function rotate_event_log() returns integer
language plpgsql security definer set search_path from current as $$
declare
  at event_segment;
  emptied integer := 0;
  -- `is_folded` is true if the log has no backlog, no large transactions and no deferred events. In this case, all
  -- events that are visible in the position's snapshot have been dispatched.
  is_folded boolean := not exists (
    select from event_position where base is not null or partial is not null or deferred is not null);
  holds_rows boolean[] := array[
    exists (select from event_0), exists (select from event_1), exists (select from event_2)];
begin
  select * into at from event_segment;
  -- A future `rotated_at` was stored while the server's clock was wrong.
  if at.rotated_at > pg_catalog.now() + interval '10 seconds' then
    update event_segment set rotated_at = pg_catalog.now();
  end if;
  for segment in 0..2 loop
    -- A segment is truncated no earlier than ten seconds after writers were switched to the next segment.
    if is_folded and segment <> at.current and holds_rows[segment + 1]
      and at.rotated_at < pg_catalog.now() - interval '10 seconds'
      and truncate_segment(segment) then
      holds_rows[segment + 1] := false;
      emptied := emptied + 1;
    end if;
  end loop;
  if at.rotated_at < pg_catalog.now() - interval '1 minute' and holds_rows[at.current + 1]
    and not holds_rows[(at.current + 1) % 3 + 1] then
    update event_segment set current = (current + 1) % 3, rotated_at = pg_catalog.now();
  end if;
  return emptied;
end $$
