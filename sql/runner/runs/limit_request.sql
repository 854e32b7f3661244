-- Limits how long a request to cancel waits for transactions that settle runs, because other sessions queue after it.
-- Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('lock_timeout', '200ms', true)
