-- Runs a checkpoint before each measurement, so that every measurement starts with no WAL since the last checkpoint.
-- Rows: none. Locks: none.
checkpoint
