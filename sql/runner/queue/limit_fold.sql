-- Settings for a fold only: its COMMIT does not wait for the disk. A server that crashes may forget the fold together
-- with its position, and the next fold repeats both. Work of its runs that must not be forgotten waits for the disk at
-- its own COMMIT, which includes everything written before it. Rows: one. Locks: none. Lasts until the end of the
-- transaction.
select set_config('synchronous_commit', 'off', true)
