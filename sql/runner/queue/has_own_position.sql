-- Returns whether the event log belongs to this cluster. After a restore into another cluster, the whole log must be
-- dispatched before a drain. Rows: one row with a boolean. Locks: none.
select exists (select from own_position)
