-- Empties one day of the history if all of it is older than the cutoff. $1 partition, $2 cutoff. Rows: one: true: it
-- was emptied; false: it is empty or contains a newer row; null: another session uses it. Locks: the partition, ACCESS
-- EXCLUSIVE. It waits 20 ms at most, because writers wait for the same time.
select truncate_history($1, $2)
