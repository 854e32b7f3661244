-- Releases the locks since begin_reading. Rows: none. Locks: none.
rollback to savepoint read_definitions;
release savepoint read_definitions
