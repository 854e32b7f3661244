-- Sets the longest time that a statement waits for a lock, until the transaction ends. $1 is the time in milliseconds.
-- Rows: one. Locks: none.
select set_config('lock_timeout', $1::bigint || 'ms', true)
