-- Updates a group's number of members after a membership is deleted.
create or replace trigger member_deleted after delete on member
referencing old table as changed_row for each statement execute function member_written()
