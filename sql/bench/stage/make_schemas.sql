-- Creates the schemas of the bench. If two benches run on one server, the second one fails here. The file contains two
-- statements. Rows: none. Locks: the names of the schemas.
create schema raw;
create schema baton_bench
