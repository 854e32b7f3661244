-- Sets up a transaction that dispatches events, so that COMMIT does not wait for the disk. If a server crash undoes the
-- new runs together with the position, the next dispatch creates the runs again. Completed work is never lost, because
-- the COMMIT of the work waits for all earlier writes. Rows: one row. Locks: none. The setting lasts until the end of
-- the transaction.
select set_config('synchronous_commit', 'off', true)
