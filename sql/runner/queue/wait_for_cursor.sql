-- Locks the row of event_cursor, which gives the right to dispatch events. If another session has locked the row, the
-- statement waits. Callers use the statement if all events must be dispatched. Rows: one row (see lock_cursor). Locks:
-- the row of event_cursor. The events must be read by a separate statement, whose snapshot is newer than the lock.
select set_config('baton.has_cursor', 'yes', true)
from (select from event_cursor for update) locked
