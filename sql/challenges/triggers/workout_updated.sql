-- Stores the previous version of a ledger row when a workout is edited or deleted.
create or replace trigger workout_updated after update of revision on workout
for each row when (old.revision <> new.revision) execute function workout_updated()
