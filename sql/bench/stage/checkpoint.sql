-- Executes a checkpoint immediately before a measurement, so that no WAL has been written since the last checkpoint
-- when the measurement starts. Rows: none. Locks: none.
checkpoint
