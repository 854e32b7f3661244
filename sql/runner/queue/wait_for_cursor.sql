-- Takes the right to fold, after whoever has it. Used by those who must see everything folded.
-- Rows: one. Locks: the cursor row. A statement of its own: the fold's snapshot comes after it.
select from event_cursor for update
