-- Computes the due time of a run that becomes ready while the transaction does not hold the lock of event_cursor. If
-- the run were due before the commit is visible, polls could pass the run's place in the queue (fragment front). Rows:
-- none, because the fragment is only a part of a statement. Locks: none.
statement_timestamp() + interval '100 milliseconds'
