-- Deletes the devices of users who no longer have a session, so that a signed-out phone receives no push notifications.
-- The database does not know which session belongs to a device, so the devices remain as long as the user has a
-- session. Locks: the deleted devices. Indexes: session_of_user, push_device_user.
create or replace function session_ended() returns trigger
language plpgsql security definer set search_path from current
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from push_device d
  where d.user_id in (select n.user_id from new_row n where n.ended_at is not null)
    and not exists (
      select from session s
      where s.user_id = d.user_id and s.ended_at is null and s.expires_at > domain_now());
  return null;
end $$
