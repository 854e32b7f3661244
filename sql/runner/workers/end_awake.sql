-- Releases the advisory lock of the awake worker, so that writers wake a worker again. Rows: one empty row. Locks:
-- none. The session must not have other advisory locks.
select pg_advisory_unlock_all()
