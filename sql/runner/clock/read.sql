-- The development clock. Rows: none in production; else one: domain time, and by how many microseconds it is later than
-- the server's time (null: the clock is frozen). Locks: none.
select domain_now(), case when clock is null then ahead_us end
from development
