-- record_workout without its events: the other side of `write-*`. Rows: none.
-- Locks: entry, SHARE ROW EXCLUSIVE.
alter table entry disable trigger user
