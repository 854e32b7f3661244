-- Limits the wait of a cancellation request for its lock to 200 ms, because other sessions must wait while the request
-- waits. Rows: one row. Locks: none. The setting lasts until the end of the transaction.
select set_config('lock_timeout', '200ms', true)
