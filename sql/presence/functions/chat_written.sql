-- Increases the version of a chat if messages are written or deleted, and wakes its observers. A transaction that
-- writes to a group keeps the row of its chat locked until the transaction ends. The versions of a chat therefore have
-- the order of the commits, and a reader who has seen one version misses no earlier change.
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
