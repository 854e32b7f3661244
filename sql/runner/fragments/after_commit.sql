-- Computes the due time of a run that becomes ready while the transaction does not hold the lock of event_cursor. If
-- the run were due before the commit is visible, polls could pass the run's place in the queue (fragment front). The
-- time is read after the transaction has its id, because polls list only transactions with an id. The statement itself
-- may have begun much earlier, and may have waited for a lock of the table. Rows: none, because the fragment is only a
-- part of a statement. Locks: none.
clock_timestamp() + interval '100 milliseconds'
