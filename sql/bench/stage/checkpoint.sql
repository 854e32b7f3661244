-- Performs a checkpoint immediately before a measurement, so that each measurement starts directly after a checkpoint.
-- Rows: none. Locks: none.
checkpoint
