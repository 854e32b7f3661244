-- Who is deleted is not at the group's place.
create or replace trigger member_gone after delete on member
referencing old table as changed_row for each statement execute function member_out()
