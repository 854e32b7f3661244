-- Sets up a transaction that dispatches events, so that COMMIT does not wait for the disk. If a server crash undoes the
-- new runs together with the position, the next dispatch creates the runs again. Completed work is never lost, because
-- the work's COMMIT waits until all earlier writes are on disk. Rows: one row. Locks: none. The setting lasts until the
-- transaction ends.
select set_config('synchronous_commit', 'off', true)
