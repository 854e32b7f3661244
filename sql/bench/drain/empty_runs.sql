-- Deletes the runs and events that an earlier side of the bench left. Rows: none. Locks: the tables, ACCESS EXCLUSIVE.
truncate run, event_0, event_1, event_2
