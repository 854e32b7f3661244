-- Sets the maximum time for which a statement waits for a lock, until the transaction ends. $1: the time in
-- milliseconds. Rows: one row. Locks: none.
select set_config('lock_timeout', $1::bigint || 'ms', true)
