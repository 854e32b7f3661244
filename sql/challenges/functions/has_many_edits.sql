-- Returns true if a workout has reached the configured number of edits and refused edits. The number of edits is
-- limited, because each edit and each refused edit stores a row. Index: workout_revision_pkey, refused_edit_call.
create or replace function has_many_edits(of_user text, of_workout text) returns boolean
language sql stable
return (
  select (
      select count(*) from (
        select from workout_revision r where r.user_id = of_user and r.workout_id = of_workout
        limit s.edits_a_workout) r)
    + (
      select count(*) from (
        select from refused_edit e where e.user_id = of_user and e.workout_id = of_workout
        limit s.edits_a_workout) e)
    >= s.edits_a_workout
  from setting s
)
