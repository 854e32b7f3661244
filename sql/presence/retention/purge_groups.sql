-- Deletes groups if the retention period has passed since they ended. $1: the maximum number of rows to read, oldest
-- first. $2: the time to search from, or null to start with the oldest row. Rows: one row with the number of deleted
-- groups, and the time of the newest row that was read (null if no row was read). Locks: the deleted groups and their
-- summaries and chats, SKIP LOCKED.
select deleted, reached from purge_groups($1, $2)
