-- Makes the bench's schemas. If two benches run on one server, the second fails here. Rows: none. Locks: the names. Two
-- statements.
create schema raw;
create schema baton_bench
