-- Keeps requests to cancel out until the runs are settled that this transaction settles: what was asked for is
-- seen by the next statement, and what comes later finds the runs settled.
-- Rows: none. Locks: cancellation, ROW SHARE, which no other but a request is kept from.
lock table cancellation in row share mode
