-- Applies a change to a user's data to the open boards. The trigger's condition compares the user's version, which the
-- user_changing trigger has incremented.
create or replace trigger user_changed
after update of display_name, photo_url, time_zone, shares_workouts on users
for each row when (old.version <> new.version) execute function user_changed()
