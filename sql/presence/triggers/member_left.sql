-- Who leaves, or is removed, is not at the group's place any more.
create or replace trigger member_left after update on member
referencing new table as changed_row for each statement execute function member_out()
