-- Drops the benchmark's two schemas, with one statement for each. Rows: none. Locks: all objects in the schemas, ACCESS
-- EXCLUSIVE.
drop schema if exists raw cascade;
drop schema if exists baton_bench cascade
