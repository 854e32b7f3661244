-- Prepares the transaction to read the definitions of database objects. PostgreSQL locks the tables that a definition
-- names. If the table locks lasted until the migrator's transaction ended, the migrator and a worker that truncates a
-- table could deadlock. PostgreSQL prints constants and names in definitions according to the session's settings, so
-- the statement sets these settings to fixed values. The end_reading statement releases the locks and restores the
-- settings. Rows: none. Locks: none.
savepoint read_definitions;
set local standard_conforming_strings = on;
set local quote_all_identifiers = off;
set local datestyle = 'ISO, YMD';
set local intervalstyle = 'postgres';
set local timezone = 'UTC';
set local extra_float_digits = 1;
set local bytea_output = 'hex'
