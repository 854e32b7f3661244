-- Truncates the partition with one week of messages if all of its rows are older than the cutoff. $1: the partition's
-- name. $2: the cutoff time. Rows: one row with a boolean that is true if the partition was truncated, and false if the
-- partition contains newer rows. If another transaction is using the partition, the boolean is null. Locks: the
-- partition, ACCESS EXCLUSIVE. The statement waits at most 20 ms for the lock, because a waiting request blocks other
-- sessions.
select truncate_messages($1, $2)
