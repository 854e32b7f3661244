-- Updates a group's number of members after a membership was changed. A change of the user's id does not change the
-- count, because a merge of two rows first deletes one row.
create or replace trigger member_updated after update on member
referencing new table as changed_row for each statement execute function member_written()
