-- Truncates one partition if all rows of the partition are older than the cutoff. $1: the partition. $2: the cutoff.
-- Rows: one row, which is true if the partition was truncated, false if it contains newer rows, null if another
-- transaction is using it. Locks: the partition, ACCESS EXCLUSIVE. The statement waits at most 20 ms for the lock,
-- because writers wait during that time too.
select truncate_notifications($1, $2)
