-- Waits for no lock longer than this. $1 milliseconds. Rows: one. Locks: none. Lasts until the end of the
-- transaction.
select set_config('lock_timeout', $1::bigint || 'ms', true)
