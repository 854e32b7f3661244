-- Deletes a user's unread rank notification together with the standing that refers to the notification. If the user is
-- ranked again later, the new standing has no notification. Without the trigger, a user could have two unread rank
-- notifications. If retention deletes the board, the trigger does nothing. With the shortest retention period,
-- retention may delete a board a few minutes before the notifications about its close expire.
create or replace function standing_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  -- If the board was deleted, the notification remains until it expires.
  if not exists (select from challenge where id = old.challenge_id) then
    return null;
  end if;
  -- If a reader has locked the notification, the notification stays and counts as read.
  perform from notification
  where partition = day_partition(old.notification_created_at)
    and created_at = old.notification_created_at and id = old.notification_id and not is_read
  for update skip locked;
  if found then
    delete from notification
    where partition = day_partition(old.notification_created_at)
      and created_at = old.notification_created_at and id = old.notification_id;
  end if;
  return null;
end $$
