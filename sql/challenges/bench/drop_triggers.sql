-- Disables the triggers on the table `entry`, so that record_workout writes no events. The benchmarks `write-*` need a
-- baseline without triggers. Rows: none. Locks: the table `entry`, SHARE ROW EXCLUSIVE.
alter table entry disable trigger user
