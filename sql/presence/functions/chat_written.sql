-- Counts what is written to chats or taken back, and wakes who observes them. Whoever writes to a group holds the row to
-- the end: a chat's versions follow each other in the order of commits, so nobody who has read one misses another.
create or replace function chat_written() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  written text[] := array(select distinct r.group_id::text from changed_row r order by 1);
begin
  insert into group_chat as c (group_id, version)
  select w.id, 1 from unnest(written) w (id)
  on conflict (group_id) do update set version = c.version + 1;
  perform wake_observers_of('chats', written);
  return null;
end $$
