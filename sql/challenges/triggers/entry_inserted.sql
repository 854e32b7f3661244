-- Applies the board fence to new entries, and appends one event for each board.
create or replace trigger entry_inserted after insert on entry
referencing new table as new_row for each statement execute function entry_inserted('entry.changed')
