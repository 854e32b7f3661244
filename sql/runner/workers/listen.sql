-- Subscribes this session to NOTIFY messages from writers and other workers. The registration begins with COMMIT. Rows:
-- one empty row. Locks: none.
select listen()
