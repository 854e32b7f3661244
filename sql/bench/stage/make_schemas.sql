-- Creates the benchmark's two schemas, with one statement for each. If another benchmark is running on the server, the
-- schemas already exist, so the first statement fails. Rows: none. Locks: the new schemas.
create schema raw;
create schema baton_bench
