-- Registers this session for the NOTIFY messages of writers and other workers, from COMMIT on. Rows: one empty row.
-- Locks: none.
select listen()
