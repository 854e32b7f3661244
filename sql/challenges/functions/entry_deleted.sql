-- Applies the board fence (fence_boards) to the boards of deleted entries, and appends one event for each board. If
-- retention deletes a board, no event is appended, because no entry is left to rank.
create or replace function entry_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  boards uuid[] := array(select distinct challenge_id from old_row);
begin
  boards := array(select id from challenge where id = any (boards));
  if boards <> '{}' then
    perform fence_boards(boards);
    perform append_events(tg_argv[0], boards::text[]);
  end if;
  return null;
end $$
