-- Prevents the deletion of workouts from which boards are derived.
create or replace trigger workout_deleted after delete on workout
referencing old table as old_row for each statement execute function workout_deleted()
