-- Truncates the tables of runs and events between two measurements of the benchmark. Rows: none. Locks: the truncated
-- tables, ACCESS EXCLUSIVE.
truncate run, event_0, event_1, event_2
