-- Subscribes this session to NOTIFY messages from writers and other workers. The registration takes effect at COMMIT.
-- Rows: one empty row. Locks: none.
select listen()
