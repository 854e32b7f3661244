-- Takes the right to fold, or leaves it to whoever has it.
-- Rows: none where another folds; else one: whether the log's position is of this cluster.
-- Locks: the cursor row, SKIP LOCKED. A statement of its own: the fold's snapshot comes after it.
select (select epoch from event_position order by id desc limit 1)
  is not distinct from system_identifier
from event_cursor, pg_control_system()
for update of event_cursor skip locked
