-- Deletes groups that ended longer ago than the retention time. $1: the maximum number of rows to read, oldest first.
-- $2: the instant at which the search begins, or null to begin with the oldest row. Rows: one row with the number of
-- deleted groups, and the instant of the newest row that was read (null if no row was read). Locks: the deleted groups
-- and their summaries and chats, SKIP LOCKED.
select deleted, reached from purge_groups($1, $2)
