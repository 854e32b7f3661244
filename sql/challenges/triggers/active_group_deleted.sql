-- Refuses to remove the active group of a member.
create or replace trigger active_group_deleted after delete on active_group
referencing old table as old_row for each statement execute function active_group_removed()
