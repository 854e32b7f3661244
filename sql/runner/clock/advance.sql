-- Moves a frozen development clock forward. The transaction that moves the clock also uses the new time. $1: the old
-- time. $2: the new time. Rows: one row. If another replay has already moved the clock, no rows are returned. Locks:
-- the row in the `development` table.
with moved as (
  update development set clock = $2 where clock = $1 and $2 > clock returning clock
)
select set_config('baton.clock_' || 'development'::regclass::oid,
  (extract(epoch from clock) * 1000000)::bigint::text, true)
from moved
