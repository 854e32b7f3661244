-- VACUUM gives the empty pages at the end of a table back under ACCESS EXCLUSIVE, and flushes the log
-- before it lets go. A queue fills and empties all the time, so every claim and every fold would now
-- and then wait for the disk. The next runs use the pages again.
alter table run set (vacuum_truncate = off);
