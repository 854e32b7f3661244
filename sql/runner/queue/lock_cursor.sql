-- Locks the row of event_cursor, which gives the right to dispatch events. If another session has locked the row, the
-- statement does not wait. Rows: one row with true if the event log belongs to this cluster, otherwise false. If
-- another session dispatches events, there are no rows. Locks: the row of event_cursor, SKIP LOCKED. The events must be
-- read by a separate statement, whose snapshot is newer than the lock.
select exists (select from own_position) from event_cursor for update skip locked
