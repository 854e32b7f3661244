-- Sets up a transaction that dispatches events, so that COMMIT does not wait for the disk. A crash of the server may
-- undo the new runs together with the position. After a crash that undoes the runs, the next dispatch creates the runs
-- again. Completed work is never lost, because the COMMIT of the work waits for all earlier writes. Rows: one row.
-- Locks: none. The setting lasts until the end of the transaction.
select set_config('synchronous_commit', 'off', true)
