-- Runs when hidden entries are shown again. The trigger applies only to updates of a column that record_workout never
-- sets.
create or replace trigger entry_shown after update of hidden on entry
for each row when (old.hidden and not new.hidden and new.value > 0) execute function entry_shown()
