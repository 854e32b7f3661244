-- The due time of a run that a statement makes ready without the lock of event_cursor. The commit must be visible
-- before the run is due, because polls could otherwise pass the run's place in the queue (fragment front). Rows: the
-- rows of the statement that includes the fragment. Locks: none.
statement_timestamp() + interval '100 milliseconds'
