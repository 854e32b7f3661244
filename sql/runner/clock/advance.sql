-- Moves a frozen development clock forward, never back, also for the transaction that moves it. $1 from, $2 to. Rows:
-- 1; none if the clock is not at $1, because another replay moves it too. Locks: the row.
with moved as (
  update development set clock = $2 where clock = $1 and $2 > clock returning clock
)
select set_config('baton.clock_' || 'development'::regclass::oid,
  (extract(epoch from clock) * 1000000)::bigint::text, true)
from moved
