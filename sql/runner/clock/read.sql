-- Reads the development clock. Rows: one row with the domain time and its lead over the server's time in microseconds.
-- The lead is null if the clock is frozen. In production, there are no rows. Locks: none.
select domain_now(), case when clock is null then ahead_us end
from development
