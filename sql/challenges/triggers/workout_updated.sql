-- Stores the row that an edit or a deletion of a workout replaces.
create or replace trigger workout_updated after update of revision on workout
for each row when (old.revision <> new.revision) execute function workout_updated()
