-- What holds for a fold alone: its COMMIT does not wait for the disk. A server that crashes at once forgets the
-- fold with its position, and both come again. What is done with its runs and must not be forgotten waits for
-- itself, and for all that was written before it.
-- Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('synchronous_commit', 'off', true)
