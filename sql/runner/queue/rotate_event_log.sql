-- Empties used-up segments of the event log and moves its writers on.
-- Rows: one: segments emptied. Locks: a used-up segment, ACCESS EXCLUSIVE, NOWAIT; the segment row.
-- The caller holds the cursor, so nobody folds meanwhile.
select rotate_event_log()
