-- Takes the right to fold, or leaves it to whoever has it.
-- Rows: none where another folds; else one: whether the log is of this cluster.
-- Locks: the cursor row, SKIP LOCKED. A statement of its own: the fold's snapshot comes after it.
select exists (select from own_position) from event_cursor for update skip locked
