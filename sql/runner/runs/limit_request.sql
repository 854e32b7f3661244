-- Limits the time for which a cancellation request waits for a lock to 200 ms, because a waiting lock request makes
-- other sessions wait. Rows: one row. Locks: none. The setting lasts until the end of the transaction.
select set_config('lock_timeout', '200ms', true)
