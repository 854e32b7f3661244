-- Deletes the text of a message, but keeps the row. Only the author and the group's admins may delete a message. If the
-- message does not exist, the call succeeds. The function finds the message by its id only. If the query also compared
-- the group, the planner might read all messages of the group. Messages never move to another group. Locks: the actor's
-- row in member, FOR SHARE, then the message. Index: message_id of each partition.
create or replace function delete_message(actor text, group_id text, message_id uuid) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  role_there text;
  there message;
begin
  role_there := hold_membership(actor, delete_message.group_id);
  select * into there from message m where m.id = message_id;
  if there.id is null or there.group_id <> delete_message.group_id then
    return;
  end if;
  select * into there from message m
  where m.partition = there.partition and m.created_at = there.created_at and m.id = there.id
  for no key update;
  if there.id is null then
    return;
  elsif there.user_id is distinct from actor and role_there <> 'admin' then
    perform refuse('notGroupAdmin', format('message %s is not by user %s, who is no admin', message_id,
      quote_literal(actor)), 'Nothing was changed. Ask an admin of the group.');
  end if;
  update message m set content = '', deleted_at = greatest(domain_now(), m.created_at)
  where m.partition = there.partition and m.created_at = there.created_at and m.id = there.id
    and m.deleted_at is null;
end $$;

comment on function delete_message is 'Takes a message of the actor back, or as an admin that of any member. Safe to repeat.'
