-- Updates the longest stay of a user after a visit has ended.
create or replace trigger visit_updated after update on visit
referencing old table as old_row new table as changed_row for each statement execute function visit_ended()
