-- Enables the triggers on entry again, so that record_workout writes events. Rows: none. Locks: entry, SHARE ROW
-- EXCLUSIVE.
alter table entry enable trigger user
