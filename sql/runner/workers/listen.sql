-- Lets writers and other workers wake this session, from COMMIT on. Rows: one. Locks: none.
select listen()
