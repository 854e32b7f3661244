-- Applies the board fence to changed entries, and appends events for the boards of these entries. Inserts have a
-- separate trigger, because PostgreSQL 15 allows only one event for a trigger with transition tables.
create or replace trigger entry_updated after update on entry
referencing old table as old_row new table as new_row
for each statement execute function entry_updated('entry.changed')
