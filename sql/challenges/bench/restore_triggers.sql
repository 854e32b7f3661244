-- record_workout as it is. Rows: none. Locks: entry, SHARE ROW EXCLUSIVE.
alter table entry enable trigger user
