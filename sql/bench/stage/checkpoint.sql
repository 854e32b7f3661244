-- Performs a checkpoint immediately before each measurement. Rows: none. Locks: none.
checkpoint
