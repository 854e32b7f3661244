-- Applies the board fence to deleted entries, and appends one event for each board.
create or replace trigger entry_deleted after delete on entry
referencing old table as old_row for each statement execute function entry_deleted('entry.changed')
