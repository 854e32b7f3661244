-- Computes the due time of runs that become ready while the transaction does not hold the lock on event_cursor. Each
-- poll searches only from the places that the previous poll returned (fragment front). If the due time were before the
-- commit, polls could miss the run. The transaction must already have an id when the time is read.
-- statement_timestamp() could be too early, because the statement may have waited for a table lock. All runs of the
-- statement get the same time. A claim between two different times would split a batch. Rows: none, because the
-- fragment is only part of a statement. Locks: none.
(select clock_timestamp() + interval '100 milliseconds')
