-- Drops what the bench has made. Rows: none. Locks: all of it, ACCESS EXCLUSIVE. Two statements.
drop schema if exists raw cascade;
drop schema if exists baton_bench cascade
