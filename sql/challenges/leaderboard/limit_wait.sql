-- Sets the longest time that a statement waits for a lock. $1 milliseconds. Rows: one. Locks: none. It lasts until the
-- end of the transaction.
select set_config('lock_timeout', $1::bigint || 'ms', true)
