-- Creates a notification about a group for a user. Only the server may execute the function. If the user already has a
-- visible notification with the key, no notification is created. Concurrent calls for one user wait for the lock on the
-- user's row. The notification always has the type new_member. No job parses the content of this type, so the content
-- needs only the key and the message.
create or replace function create_notification(
  key text, user_id text, group_id text, message text
) returns boolean language plpgsql
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at timestamptz;
begin
  perform require_read_committed();
  if key is null or octet_length(key) not between 1 and 256 or message is null
    or octet_length(message) > 1000 then
    perform refuse('invalidInput', 'a notification needs a key of 1 to 256 bytes and a message of up to 1000',
      'Nothing was written. Send a key that was made once for this notification.');
  end if;
  perform from users u where u.id = create_notification.user_id for no key update;
  if not found or not exists (select from groups g where g.id = create_notification.group_id) then
    perform refuse('invalidInput', format('there is no user %s, or no group %s',
      quote_nullable(left(user_id, 64)), quote_nullable(left(group_id, 64))),
      'Nothing was written. Send the ids of both.');
  end if;
  at := domain_now();
  if exists (
    select from notification n
    where n.user_id = create_notification.user_id and n.created_at > at - notification_lifetime()
      and n.content ->> 'key' = create_notification.key) then
    return false;
  end if;
  insert into notification (partition, created_at, user_id, group_id, type, content, changed_at)
  values (day_partition(at), at, create_notification.user_id, create_notification.group_id,
    'new_member', jsonb_build_object('key', key, 'message', message), at);
  return true;
end $$;

comment on function create_notification is
  'For the server: tells a user something about a group. Safe to repeat with the same key.'
