-- Empties all segments. The caller holds their locks and has folded every row.
-- Rows: none. Locks: all segments, ACCESS EXCLUSIVE.
truncate event_0, event_1, event_2
