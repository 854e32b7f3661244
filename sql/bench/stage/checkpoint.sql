-- Executes a checkpoint before a measurement, so that the measurement starts with an empty WAL since the last
-- checkpoint. Rows: none. Locks: none.
checkpoint
