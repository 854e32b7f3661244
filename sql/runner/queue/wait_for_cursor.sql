-- Locks the row of event_cursor, which gives the right to dispatch events. If another session has locked the row, the
-- statement waits. Callers use the statement if all events must be dispatched. Rows: one row with the value of
-- baton.has_cursor. Locks: the row in event_cursor. A separate statement must read the events, so that its snapshot is
-- taken after the lock was acquired.
select set_config('baton.has_cursor', 'yes', true)
from (select from event_cursor for update) locked
