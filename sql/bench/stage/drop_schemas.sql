-- Drops the schemas that the bench has made. Rows: none. Locks: everything in them, ACCESS EXCLUSIVE. Two statements.
drop schema if exists raw cascade;
drop schema if exists baton_bench cascade
