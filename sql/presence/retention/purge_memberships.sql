-- Deletes memberships if the retention period has passed since they ended. $1: the maximum number of rows to read,
-- oldest first. $2: the time to search from, or null to start with the oldest row. Rows: one row with the number of
-- deleted memberships, and the time of the newest row that was read (null if no row was read). Locks: the groups FOR NO
-- KEY UPDATE and the deleted rows, both SKIP LOCKED.
select deleted, reached from purge_memberships($1, $2)
