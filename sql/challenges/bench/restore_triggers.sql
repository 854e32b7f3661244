-- Enables the triggers on the table `entry` again, so that record_workout writes events. Rows: none. Locks: the table
-- `entry`, SHARE ROW EXCLUSIVE.
alter table entry enable trigger user
