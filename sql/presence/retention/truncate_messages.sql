-- Truncates one week of messages if all rows of the partition are older than the cutoff. $1: the partition's name. $2:
-- the cutoff time. Rows: one row, which is true if the partition was truncated, and false if it contains newer rows. If
-- another transaction uses the partition, the result is null. Locks: the partition, ACCESS EXCLUSIVE. The statement
-- waits at most 20 ms for the lock, because other sessions must wait during that time.
select truncate_messages($1, $2)
