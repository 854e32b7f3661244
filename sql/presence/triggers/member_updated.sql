-- Members are counted. Of a user's id alone nothing changes: who is merged goes by a deletion first.
create or replace trigger member_updated after update on member
referencing new table as changed_row for each statement execute function member_written()
