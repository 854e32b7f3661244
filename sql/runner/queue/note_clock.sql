-- Stores the server's time, and returns how far the clock has been set back since the last call. Rows: one row with how
-- far the clock was set back in ms, or 0 if it was not set back. Locks: the row in server_clock. The statement reads
-- the current time, because the transaction's start time may be outdated after waiting for the lock.
with old as (
  select seen_at from server_clock for update
)
update server_clock c
set seen_at = clock_timestamp()
from old
returning (extract(epoch from greatest(old.seen_at - clock_timestamp(), '0')) * 1000)::bigint
