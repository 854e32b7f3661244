-- The due time of a run that a statement makes ready without the lock of event_cursor. The commit is visible before the
-- run is due. Otherwise polls could pass its place in the queue (fragment front). Rows: those of the statement. Locks:
-- none.
statement_timestamp() + interval '100 milliseconds'
