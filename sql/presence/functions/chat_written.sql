-- Increments the version of a chat after messages were written or deleted, and wakes the observers of the chat. Until
-- the transaction ends, the chat's row stays locked. A chat's versions therefore follow the commit order.
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
