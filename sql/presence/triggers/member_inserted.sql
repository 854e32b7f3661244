-- Updates a group's number of members after a membership is inserted.
create or replace trigger member_inserted after insert on member
referencing new table as changed_row for each statement execute function member_written()
