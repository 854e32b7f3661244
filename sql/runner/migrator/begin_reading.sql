-- Begins to read definitions. PostgreSQL locks the tables that a definition names, and a lock that lasts until the end of
-- the migrator's transaction could cause a deadlock with a worker that truncates a table. PostgreSQL writes constants and
-- names in definitions according to the session's settings, so these settings are the same in each reading. end_reading
-- ends both. Rows: none. Locks: none.
savepoint read_definitions;
set local standard_conforming_strings = on;
set local quote_all_identifiers = off;
set local datestyle = 'ISO, YMD';
set local intervalstyle = 'postgres';
set local timezone = 'UTC';
set local extra_float_digits = 1;
set local bytea_output = 'hex'
