-- Adds new messages to their authors' statistics.
create or replace function message_counted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform hold_stats(array(select distinct r.user_id::text from changed_row r));
  update user_stats s
  set messages_sent = s.messages_sent + c.messages
  from (select r.user_id, count(*) as messages from changed_row r group by r.user_id) c
  where s.user_id = c.user_id;
  return null;
end $$
