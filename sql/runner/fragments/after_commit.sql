-- Computes the due time of a run that becomes ready while the transaction does not hold the lock of event_cursor. A run
-- that is due before its commit is visible could be missed, because polls do not return to earlier places in the queue
-- (fragment front). Rows: none, because the fragment is only a part of a statement. Locks: none.
statement_timestamp() + interval '100 milliseconds'
