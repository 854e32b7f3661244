-- Reads the development clock. Rows: one row with the domain time and its lead over the server's time in microseconds.
-- If the clock is frozen, the lead over the server's time is null. In production, no rows are returned. Locks: none.
select domain_now(), case when clock is null then ahead_us end
from development
