-- Releases the advisory lock of the awake worker, so that writers wake a worker again. Rows: one empty row. Locks:
-- none. The statement releases all advisory locks of the session, so the session must have no other advisory locks.
select pg_advisory_unlock_all()
