-- Stores the server's time, and returns how far the clock has been set back since the last call. Rows: one row with the
-- time span in ms by which the clock was set back, or 0 if the clock was not set back. Locks: the row of server_clock.
-- The statement reads the current time, because the transaction's start time may be outdated after a wait for the lock.
with old as (
  select seen_at from server_clock for update
)
update server_clock c
set seen_at = clock_timestamp()
from old
returning (extract(epoch from greatest(old.seen_at - clock_timestamp(), '0')) * 1000)::bigint
