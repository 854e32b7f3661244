-- Empties all segments. The caller holds their locks and has folded every row.
-- Rows: one. Locks: all segments, ACCESS EXCLUSIVE.
select empty_event_log()
