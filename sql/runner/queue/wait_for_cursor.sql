-- Waits for the right to fold and takes it, for callers that must see every event folded. Rows: one. Locks: the cursor
-- row. This is a separate statement, so that the fold's snapshot comes after the lock.
select from event_cursor for update
