-- Deletes the unread notification of a changed rank together with the standing that points to it, because the rank is
-- gone. A user who is ranked again later starts without one; otherwise there could be two unread ones (rule 67). It
-- does nothing for boards that retention removes. With the shortest retention time, such a board may be removed some
-- minutes before the notifications of its close expire.
create or replace function standing_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  -- A notification about a removed board remains true. It expires by its own age.
  if not exists (select from challenge where id = old.challenge_id) then
    return null;
  end if;
  -- A notification that its reader has locked is left alone and counts as read.
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
