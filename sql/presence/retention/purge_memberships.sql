-- Deletes memberships that ended before the retention time. At most $1 rows are read, oldest first, from the instant $2
-- on, or from the oldest row if $2 is null. Rows: one row with the number of deleted memberships, and the instant of
-- the newest row that was read, or null. Locks: the rows that the function purge_memberships locks.
select deleted, reached from purge_memberships($1, $2)
