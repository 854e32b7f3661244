-- Sets up a transaction that dispatches events, so that its COMMIT does not wait for the disk. A crash of the server
-- may undo the runs together with the position, and the next dispatch then creates the runs again. Completed work of
-- the runs is not lost, because the work's COMMIT waits for all earlier writes. Rows: one row. Locks: none. The
-- setting lasts until the end of the transaction.
select set_config('synchronous_commit', 'off', true)
