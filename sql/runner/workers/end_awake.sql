-- Releases the awake worker's advisory lock, so that writers wake a worker again. Rows: one empty row. Locks: none. The
-- statement releases all of the session's advisory locks, so the session must not have any others.
select pg_advisory_unlock_all()
