-- Stores the server's time, and returns how far its clock was set back since the last call. Rows: one row with the
-- distance in ms, or 0. Locks: the row of server_clock. The statement reads the clock and not the start of the
-- transaction, because it may wait for another worker's call.
with old as (
  select seen_at from server_clock for update
)
update server_clock c
set seen_at = clock_timestamp()
from old
returning (extract(epoch from greatest(old.seen_at - clock_timestamp(), '0')) * 1000)::bigint
