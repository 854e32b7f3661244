-- Releases the locks that were acquired since begin_reading, and restores the settings that begin_reading has changed.
-- Rows: none. Locks: none.
rollback to savepoint read_definitions;
release savepoint read_definitions
