-- Drops the two schemas of the benchmark, with one statement for each schema. Rows: none. Locks: all objects of the
-- schemas, ACCESS EXCLUSIVE.
drop schema if exists raw cascade;
drop schema if exists baton_bench cascade
