-- Sets the close-week job's delay to the grace period.
create or replace trigger grace_changed after update of grace on setting
for each row execute function grace_changed()
