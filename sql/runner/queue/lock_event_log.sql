-- Blocks all writers of an event log that was restored from another cluster. Rows: one empty row. Locks: all segments,
-- ACCESS EXCLUSIVE, until the transaction ends.
select lock_event_log()
