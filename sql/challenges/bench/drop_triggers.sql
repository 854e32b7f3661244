-- Disables the triggers on entry, so that record_workout writes no events. The result is the baseline of the cases
-- `write-*`. Rows: none. Locks: entry, SHARE ROW EXCLUSIVE.
alter table entry disable trigger user
