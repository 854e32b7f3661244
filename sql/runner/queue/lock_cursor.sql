-- Takes the right to fold, if no other session has it. Rows: none if another session folds; else one: whether the log
-- is of this cluster. Locks: the cursor row, SKIP LOCKED. This is a separate statement, so that the fold's snapshot
-- comes after the lock.
select exists (select from own_position) from event_cursor for update skip locked
