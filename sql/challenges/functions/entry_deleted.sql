-- Applies the board fence to entries that were removed, and appends their events. Boards that retention removes get no
-- event, because nothing is left to rank.
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
