-- Locks the row of event_cursor, which gives the right to dispatch events. If another session has locked the row, the
-- statement does not wait. The setting baton.has_cursor allows advance_position in this transaction, so that the client
-- can send lock_cursor and advance_position together. Rows: one row with a boolean that is true if the event log
-- belongs to this cluster. If another session is dispatching events, no rows are returned. Locks: the row in
-- event_cursor, SKIP LOCKED. A separate statement must read the events, so that its snapshot is taken after the lock
-- was acquired. The subquery ensures that the setting is set only after the row is locked.
select case when exists (select from own_position) then set_config('baton.has_cursor', 'yes', true) = 'yes' else false end
from (select from event_cursor for update skip locked) locked
