-- Creates the two schemas of the benchmark with two statements. If a benchmark is already running on the server, the
-- schemas exist, and the first statement of this file fails. Rows: none. Locks: the names of the new schemas.
create schema raw;
create schema baton_bench
