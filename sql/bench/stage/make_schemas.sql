-- Creates the two schemas of the bench with two statements. If a bench is already running on the server, the
-- statement fails. Rows: none. Locks: the names of the schemas.
create schema raw;
create schema baton_bench
