-- Prevents an active group for a user who is not a member of it.
create or replace trigger active_group_updated after update on active_group
referencing new table as new_row for each statement execute function active_group_written()
