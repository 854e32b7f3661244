-- Moves a running development clock forward, never back, also for the transaction that moves it. $1 microseconds by
-- which it is later than the server's. Rows: 1; none if the clock is frozen or would not move. Locks: the row. The
-- caller holds the cursor, so that no fold computes with the old clock meanwhile.
with moved as (
  update development set ahead_us = $1 where clock is null and ahead_us < $1 returning ahead_us
)
select set_config('baton.clock_' || 'development'::regclass::oid,
  ((extract(epoch from pg_catalog.now()) * 1000000)::bigint + ahead_us)::text, true)
from moved
