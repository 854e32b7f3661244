-- Releases the locks since begin_reading, and restores the settings. Rows: none. Locks: none.
rollback to savepoint read_definitions;
release savepoint read_definitions
