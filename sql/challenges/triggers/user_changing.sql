-- Runs if a change to a user's data is visible on boards or affects the day of a workout.
create or replace trigger user_changing
before update of display_name, photo_url, time_zone, shares_workouts on users
for each row
when (
  (old.display_name, old.photo_url, old.time_zone, old.shares_workouts)
  is distinct from (new.display_name, new.photo_url, new.time_zone, new.shares_workouts))
execute function user_changing()
