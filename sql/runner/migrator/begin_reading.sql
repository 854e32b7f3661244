-- Begins to read definitions. PostgreSQL locks the tables that a definition names, and a lock that lasts until the end of
-- the migrator's transaction could cause a deadlock with a worker that truncates a table. Rows: none. Locks: none.
savepoint read_definitions
