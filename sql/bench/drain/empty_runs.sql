-- Truncates the run and event tables between two benchmark measurements. Rows: none. Locks: the truncated tables,
-- ACCESS EXCLUSIVE.
truncate run, event_0, event_1, event_2
