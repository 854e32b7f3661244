-- Puts a development clock that runs further ahead of the server's, never back, also for the
-- transaction that does so. $1 microseconds. Rows: 1; none where it stands, or would not move.
-- Locks: the row. The caller holds the cursor: no fold reckons by the old clock meanwhile.
with moved as (
  update development set ahead_us = $1 where clock is null and ahead_us < $1 returning ahead_us
)
select set_config('baton.clock_' || 'development'::regclass::oid,
  ((extract(epoch from pg_catalog.now()) * 1000000)::bigint + ahead_us)::text, true)
from moved
