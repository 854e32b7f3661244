-- Makes a checkpoint, so that every side begins with the same amount of WAL since the last one. Rows: none. Locks:
-- none.
checkpoint
