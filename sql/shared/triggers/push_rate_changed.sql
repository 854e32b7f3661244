-- Applies a changed push notification rate.
create or replace trigger push_rate_changed after update of pushes_a_second on setting
for each row when (old.pushes_a_second <> new.pushes_a_second) execute function push_rate_changed()
