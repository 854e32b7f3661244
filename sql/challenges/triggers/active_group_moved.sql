-- Refuses an update that takes the active group from a member. In addition to active_group_updated, which checks the
-- new rows.
create or replace trigger active_group_moved after update on active_group
referencing old table as old_row for each statement execute function active_group_removed()
