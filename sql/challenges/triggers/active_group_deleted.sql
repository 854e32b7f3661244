-- Prevents the deletion of a member's active group.
create or replace trigger active_group_deleted after delete on active_group
referencing old table as old_row for each statement execute function active_group_removed()
