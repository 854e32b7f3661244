-- Refuses to remove workouts from the ledger that boards are derived from.
create or replace trigger workout_deleted after delete on workout
referencing old table as old_row for each statement execute function workout_deleted()
