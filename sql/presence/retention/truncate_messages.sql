-- Empties one week of messages if all of it is older than the cutoff. $1 partition, $2 cutoff.
-- Rows: one: whether it did; null where somebody is using it. False where it holds something younger.
-- Locks: the partition, ACCESS EXCLUSIVE, waited for 20 ms at most, the time that a writer waits with us.
select truncate_messages($1, $2)
