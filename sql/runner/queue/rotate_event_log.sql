-- Empties used-up segments of the event log and moves its writers to the next segment. Rows: one: segments emptied.
-- Locks: a used-up segment, ACCESS EXCLUSIVE, NOWAIT; the segment row. The caller holds the cursor, so no fold runs
-- meanwhile.
select rotate_event_log()
