-- Prevents an update that removes a member's active group. The active_group_updated trigger checks the new rows.
create or replace trigger active_group_moved after update on active_group
referencing old table as old_row for each statement execute function active_group_removed()
