-- Adds new visits to their users' statistics.
create or replace trigger visit_inserted after insert on visit
referencing new table as changed_row for each statement execute function visit_began()
