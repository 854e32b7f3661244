-- Deletes an unread notification together with its standing. Retention deletes many standings that have no
-- notification. The trigger's condition skips these standings.
create or replace trigger standing_deleted after delete on standing
for each row
when (
  old.notification_id is not null
  and old.notification_created_at > domain_now() - notification_lifetime())
execute function standing_deleted()
