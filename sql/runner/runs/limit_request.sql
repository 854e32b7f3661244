-- A cancellation request waits at most 200 ms for a lock, because a waiting lock request makes other sessions wait.
-- Rows: one row. Locks: none. The setting lasts until the transaction ends.
select set_config('lock_timeout', '200ms', true)
