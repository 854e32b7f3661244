-- Updates a group's number of members after a membership is changed.
create or replace trigger member_updated after update on member
referencing new table as changed_row for each statement execute function member_written()
