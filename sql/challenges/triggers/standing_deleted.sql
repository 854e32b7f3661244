-- Deletes an unread notification together with its standing. The trigger's condition skips standings without a
-- notification, which retention deletes in large numbers.
create or replace trigger standing_deleted after delete on standing
for each row
when (
  old.notification_id is not null
  and old.notification_created_at > domain_now() - notification_lifetime())
execute function standing_deleted()
