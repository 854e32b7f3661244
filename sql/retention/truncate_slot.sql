-- Empties one slot if all of it is older than the cutoff. $1 partition, $2 cutoff.
-- Rows: one: whether it did; not where it holds something younger, or somebody is using it.
-- Locks: the slot, ACCESS EXCLUSIVE, NOWAIT: a writer waits for the truncation alone, never for us
-- to get the lock.
select coalesce(truncate_slot($1::text::regclass, $2), false)
