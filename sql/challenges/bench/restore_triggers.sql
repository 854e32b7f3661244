-- Enables the triggers on the `entry` table again, so that record_workout writes events. Rows: none. Locks: the `entry`
-- table, SHARE ROW EXCLUSIVE.
alter table entry enable trigger user
