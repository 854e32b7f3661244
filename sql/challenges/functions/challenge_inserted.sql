-- For each new board, inserts a row into board_version. Transactions that publish ranks lock this row. If an operator
-- has deleted a board but not its row in board_version, the existing row stays. If the week of a new board has ended,
-- the trigger starts `close-week` after the commit, also in the grace period, because the transaction may commit after
-- the week's close. `close-week` closes the board, or enqueues a run for the end of the grace period. If the grace
-- period is shorter than 1 minute, this applies to the last minute before the close. For the locks and their order, see
-- docs/internals/write-path.md.
create or replace function challenge_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  earliest_end timestamptz := (select min(ends_at) from new_row where state = 'open');
begin
  insert into board_version (challenge_id, is_told) select id, true from new_row on conflict do nothing;
  if earliest_end <= domain_now()
    + greatest(interval '1 minute' - in_seconds((select grace from setting)), interval '0') then
    perform append_events(tg_argv[0], array['scheduled']);
  end if;
  return null;
end $$
