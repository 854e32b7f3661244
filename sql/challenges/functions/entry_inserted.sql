-- Applies the board fence (fence_boards) to the boards of new entries, and appends one event for each board.
create or replace function entry_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  boards uuid[] := array(select distinct challenge_id from new_row);
begin
  if boards <> '{}' then
    perform fence_boards(boards);
    perform append_events(tg_argv[0], boards::text[]);
  end if;
  return null;
end $$
