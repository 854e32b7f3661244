-- Open boards follow a change of a user. By the version, which its own trigger has raised before.
create or replace trigger user_changed
after update of display_name, photo_url, time_zone, shares_workouts on users
for each row when (old.version <> new.version) execute function user_changed()
