-- How long a request waits for those who settle runs: others that want to wait behind it.
-- Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('lock_timeout', '200ms', true)
