-- Rejects an active group if the user is not a current member of the group.
create or replace trigger active_group_inserted after insert on active_group
referencing new table as new_row for each statement execute function active_group_written()
