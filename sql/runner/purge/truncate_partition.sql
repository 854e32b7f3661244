-- Truncates a history partition if all its rows are older than the cutoff. $1: the partition's name. $2: the cutoff
-- time. Rows: one row. The result is true if the partition was truncated, and false if the partition is empty or
-- contains a newer row. If another session is using the partition, the result is null. Locks: the partition, ACCESS
-- EXCLUSIVE. The statement waits at most 20 ms for the lock, because a waiting lock request makes other sessions wait.
select truncate_history($1, $2)
