-- Counts the members of the group. A change of only the user's id changes no count: a merge of two rows deletes one
-- first.
create or replace trigger member_updated after update on member
referencing new table as changed_row for each statement execute function member_written()
