-- Disables the triggers on entry, so that record_workout writes no events: the baseline that `write-*` is compared
-- with. Rows: none. Locks: entry, SHARE ROW EXCLUSIVE.
alter table entry disable trigger user
