-- Limits the time for which a cancellation request waits for a lock to 200 ms, because other sessions must wait during
-- that time. Rows: one row. Locks: none. The setting lasts until the end of the transaction.
select set_config('lock_timeout', '200ms', true)
