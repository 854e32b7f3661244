-- Computes the due time of a run that becomes ready while the transaction does not hold the lock on event_cursor. If
-- the due time were before the commit, polls could already have passed the run's place in the queue (fragment front).
-- The time is read after the transaction has been assigned its id, because polls find open transactions only by their
-- ids. The start time of the statement may be too early, because the statement may have waited for a table lock. Rows:
-- none, because the fragment is only a part of a statement. Locks: none.
clock_timestamp() + interval '100 milliseconds'
