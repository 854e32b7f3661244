-- Takes the names of the bench's schemas, so that of two benches one fails.
-- Rows: none. Locks: the names. Two statements.
create schema raw;
create schema baton_bench
