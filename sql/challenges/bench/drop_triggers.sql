-- Disables the triggers on the `entry` table, so that record_workout does not write events. The `write-*` benchmarks
-- need a baseline without triggers. Rows: none. Locks: the `entry` table, SHARE ROW EXCLUSIVE.
alter table entry disable trigger user
