-- Ends the presence of a member who leaves or is removed.
create or replace trigger member_left after update on member
referencing new table as changed_row for each statement execute function member_out()
