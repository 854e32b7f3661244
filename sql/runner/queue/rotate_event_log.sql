-- Truncates used segments of the event log, and switches the writers to the next segment. Rows: one row with the number
-- of truncated segments. Locks: each truncated segment, ACCESS EXCLUSIVE, NOWAIT, and the row of event_segment. The
-- caller must have locked event_cursor, so no other session dispatches events.
select rotate_event_log()
