-- Tries to be the one worker that is awake; never waits. The lock is exclusive for an instant, which shows that
-- no other worker has it and no writer that is about to wake one, and shared from then on.
-- Rows: one: whether it is ours now. Locks: an advisory lock of the session. Not where it is ours already.
select case
    when may_wake and pg_try_advisory_lock(lock_key)
      then pg_try_advisory_lock_shared(lock_key) and pg_advisory_unlock(lock_key)
    else false
  end
from event_target
