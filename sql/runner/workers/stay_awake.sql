-- Tries to make this worker the awake worker, without waiting. The statement first tries to acquire the awake worker's
-- lock in exclusive mode. The attempt fails if another worker is awake or being woken. If the attempt succeeds, the
-- session keeps the lock in shared mode. Rows: one row with a boolean that is true if this session now has the awake
-- worker's lock. Locks: the session-level advisory lock of the awake worker. A session that already holds the awake
-- worker's lock must not execute the statement.
select case
    when may_wake and pg_try_advisory_lock(lock_key)
      then pg_try_advisory_lock_shared(lock_key) and pg_advisory_unlock(lock_key)
    else false
  end
from event_target
