-- For each new board, inserts a row into board_version. Transactions that publish ranks lock this row. If an operator
-- has deleted a board but not its row in board_version, the existing row stays. If a late workout creates a board in a
-- closed week, the trigger schedules another close of the week. A transaction that begins within a minute before the
-- close may commit after it, so its new board also needs another close. For the locks and their order, see
-- docs/internals/write-path.md.
create or replace function challenge_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  earliest_end timestamptz := (select min(ends_at) from new_row where state = 'open');
begin
  insert into board_version (challenge_id, is_told) select id, true from new_row on conflict do nothing;
  if earliest_end + in_seconds((select grace from setting)) <= domain_now() + interval '1 minute' then
    perform append_events(tg_argv[0], array['scheduled']);
  end if;
  return null;
end $$
