-- Ends the presence of a member whose row is deleted.
create or replace trigger member_gone after delete on member
referencing old table as changed_row for each statement execute function member_out()
