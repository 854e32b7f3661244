-- Takes out what an earlier side left. Rows: none. Locks: the tables, ACCESS EXCLUSIVE.
truncate run, event_0, event_1, event_2
