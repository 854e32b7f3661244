-- Makes a checkpoint, so that every side of the bench starts with the same amount of WAL since the last checkpoint.
-- Rows: none. Locks: none.
checkpoint
