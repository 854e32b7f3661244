-- Sets the maximum time that statements in this transaction wait for a lock. $1: the time in milliseconds. Rows: one
-- row. Locks: none.
select set_config('lock_timeout', $1::bigint || 'ms', true)
