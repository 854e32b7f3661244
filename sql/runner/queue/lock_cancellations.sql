-- Blocks new cancellation requests until this transaction has released or ended its runs. The next statement sees all
-- earlier requests. Later requests see the new state of the runs. Rows: none. Locks: cancellation, ROW SHARE, which
-- blocks only requests.
lock table cancellation in row share mode
