-- Creates the two schemas of the bench with two statements. If two benches run on one server, the second bench fails
-- here. Rows: none. Locks: the names of the schemas.
create schema raw;
create schema baton_bench
