-- Lets writers wake a worker again. Rows: one. Locks: none; this session holds no other advisory lock.
select pg_advisory_unlock_all()
