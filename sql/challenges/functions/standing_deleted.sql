-- The unread notification of a changed rank goes with the standing that points to it: it speaks of a
-- rank that is gone, and whoever is ranked again later begins anew. Left behind, it would be a second
-- unread one beside the next (rule 67). Not for boards that retention removes: kept for as short as can
-- be, they may go some minutes before what their close told of them is out of sight.
create or replace function standing_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  -- What was told of a board that is gone is true for ever; it goes by its own age.
  if not exists (select from challenge where id = old.challenge_id) then
    return null;
  end if;
  -- One that is being read is left to its reader, and counts as read.
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
