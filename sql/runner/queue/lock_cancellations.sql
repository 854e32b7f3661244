-- Blocks new cancellation requests until the transaction ends, so that runs can be released or ended. The next
-- statement of the transaction sees all requests that were committed before the lock was acquired. Requests that waited
-- for this lock see the new state of the runs. Rows: none. Locks: the `cancellation` table, ROW SHARE, which blocks
-- only cancellation requests.
lock table cancellation in row share mode
