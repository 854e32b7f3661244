-- What a new board needs: its publish lock, so that publishers find it there; nothing of it is published,
-- so there is nothing to tell. ON CONFLICT for a board that was removed by hand and left its lock behind.
-- A late workout may make a board of a week that is over, after its close has passed by: it wakes the close
-- again. docs/internals/write-path.md has locks and order.
create or replace function challenge_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  -- A transition table is read alone, joined with nothing.
  earliest_end timestamptz := (select min(ends_at) from new_row where state = 'open');
begin
  insert into board_version (challenge_id, is_told) select id, true from new_row on conflict do nothing;
  if earliest_end + in_seconds((select grace from setting)) <= domain_now() then
    perform append_events(tg_argv[0], array['scheduled']);
  end if;
  return null;
end $$
