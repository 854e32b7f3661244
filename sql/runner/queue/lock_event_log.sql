-- Locks every writer out of a log that came from another cluster. Rows: one. Locks: all segments, ACCESS EXCLUSIVE,
-- until the end of the transaction.
select lock_event_log()
