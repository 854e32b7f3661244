-- Tries to become the one worker that is awake; never waits. The lock is taken exclusively for an instant, which proves
-- that no other worker holds it and no writer is about to wake one. From then on it is shared. Rows: one: whether this
-- session has it now. Locks: an advisory lock of the session. Not to be called if this session already has it.
select case
    when may_wake and pg_try_advisory_lock(lock_key)
      then pg_try_advisory_lock_shared(lock_key) and pg_advisory_unlock(lock_key)
    else false
  end
from event_target
