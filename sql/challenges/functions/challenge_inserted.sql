-- Makes the row of the publish lock for each new board, so that publishers find it. Nothing of the board is published,
-- so its ranks count as notified. ON CONFLICT is for a board that was removed by hand while the row of its lock
-- remained. A late workout may make a board of a week that is over, after the close processed that week. In this case
-- the trigger starts the close again. docs/internals/write-path.md has locks and order.
create or replace function challenge_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  -- A transition table is read alone, without a join.
  earliest_end timestamptz := (select min(ends_at) from new_row where state = 'open');
begin
  insert into board_version (challenge_id, is_told) select id, true from new_row on conflict do nothing;
  if earliest_end + in_seconds((select grace from setting)) <= domain_now() then
    perform append_events(tg_argv[0], array['scheduled']);
  end if;
  return null;
end $$
