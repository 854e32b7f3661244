-- The delay of close-week is the grace.
create or replace trigger grace_changed after update of grace on setting
for each row execute function grace_changed()
