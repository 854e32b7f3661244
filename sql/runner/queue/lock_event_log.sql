-- Keeps every writer out of the log, for a log that came from another cluster.
-- Rows: none. Locks: all segments, ACCESS EXCLUSIVE, until the end of the transaction.
lock table event_0, event_1, event_2 in access exclusive mode
