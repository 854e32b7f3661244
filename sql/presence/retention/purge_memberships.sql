-- Deletes memberships that ended longer ago than the retention time. $1: the maximum number of rows to read, oldest
-- first. $2: the instant at which the search begins, or null to begin with the oldest row. Rows: one row with the
-- number of deleted memberships, and the instant of the newest row that was read (null if no row was read). Locks: the
-- groups FOR NO KEY UPDATE and the deleted rows, both SKIP LOCKED.
select deleted, reached from purge_memberships($1, $2)
