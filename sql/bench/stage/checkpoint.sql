-- Executes a checkpoint before a measurement, so that the WAL since the last checkpoint is empty when the measurement
-- starts. Rows: none. Locks: none.
checkpoint
