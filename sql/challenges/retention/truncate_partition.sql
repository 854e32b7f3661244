-- Empties one partition if all of its rows are older than the cutoff. $1 partition, $2 cutoff. Rows: one: true if it
-- was emptied, false if it contains younger rows, null if another transaction is using it. Locks: the partition, ACCESS
-- EXCLUSIVE. It waits for the lock 20 ms at most, because writers wait together with it.
select truncate_notifications($1, $2)
