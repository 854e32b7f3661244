-- Sends a message to one of the actor's groups. If a call is repeated, the function returns the stored message and does
-- not take a token from the user's bucket. The id of another user's message is rejected. Calls by one user for one
-- group are never concurrent, because each call locks the user's bucket. A repeated call therefore finds the stored
-- message, even in the partition of another week. Ids are unique only within a week, which suffices because an id is
-- secret until its message is stored. Locks: the actor's row in member, FOR SHARE, then the user's token bucket. Index:
-- message_id of each partition.
create or replace function send_message(actor text, group_id text, message_id uuid, content text)
returns message_answer language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  at constant timestamptz := domain_now();
  most constant integer := (select s.messages_an_hour from setting s);
  said text;
  there message;
begin
  perform hold_membership(actor, send_message.group_id);
  if message_id is null then
    perform refuse('invalidInput', 'a message needs an id', 'Nothing was sent. Send the id that the client made.');
  elsif octet_length(content) > 40000 then
    perform refuse('messageTooLong', format('the message has %s bytes', octet_length(content)),
      'Nothing was sent. Shorten it.');
  end if;
  said := coalesce(trimmed(content), '');
  if said = '' then
    perform refuse('messageEmpty', 'the message is empty', 'Nothing was sent. Write something first.');
  elsif char_length(said) > 1000 then
    perform refuse('messageTooLong', format('the message has %s characters, and 1000 are allowed', char_length(said)),
      'Nothing was sent. Shorten it.');
  end if;
  insert into message_bucket as b (user_id, group_id, full_at) values (actor, send_message.group_id, at)
  on conflict on constraint message_bucket_pkey do update set full_at = b.full_at;
  select * into there from message m where m.id = message_id;
  if there.id is null then
    if (
      select count(*) from (
        select from message m
        where m.user_id = actor and m.created_at > at - interval '1 hour'
          -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
          and m.created_at <= at + interval '1 minute'
          and m.partition = any (array[week_partition(at), week_partition(at - interval '1 hour')])
        limit most) m) >= most then
      perform refuse_limit('messages_an_hour', format('user %s sent too many messages within an hour',
        quote_literal(actor)));
    end if;
    perform take_token(actor, send_message.group_id, at);
    insert into message (partition, created_at, id, group_id, user_id, content)
    values (week_partition(at), at, message_id, send_message.group_id, actor, said)
    on conflict do nothing
    returning * into there;
  elsif there.deleted_at is null and there.content <> said then
    there.id := null;
  end if;
  if there.id is null or there.user_id is distinct from actor or there.group_id <> send_message.group_id then
    perform refuse('conflictingRepeat', format(
      'message %s was sent with another text, to another group or by another user', message_id),
      'Nothing was sent. Make another id for another message.');
  end if;
  return message_row(there);
end $$;

comment on function send_message is 'Sends a message to a group of the actor. Safe to repeat.'
