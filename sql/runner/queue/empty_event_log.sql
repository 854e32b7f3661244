-- Truncates all segments of the event log. Before the call, the caller must have locked the segments and dispatched all
-- events. Rows: one empty row. Locks: all segments, ACCESS EXCLUSIVE.
select empty_event_log()
