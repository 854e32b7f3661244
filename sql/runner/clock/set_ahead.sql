-- Moves a running development clock forward. The transaction that moves the clock also uses the new time. $1: the new
-- lead over the server's clock in microseconds. Rows: one row. If the clock is frozen or would not move forward, no
-- rows are returned. Locks: the row in the `development` table. The caller must have locked event_cursor, so that no
-- worker dispatches events with the old time.
with moved as (
  update development set ahead_us = $1 where clock is null and ahead_us < $1 returning ahead_us
)
select set_config('baton.clock_' || 'development'::regclass::oid,
  ((extract(epoch from pg_catalog.now()) * 1000000)::bigint + ahead_us)::text, true)
from moved
