-- What the development clock says. Rows: none in production; else one: domain time, and how many
-- microseconds it is ahead of the server's, null where it stands. Locks: none.
select domain_now(), case when clock is null then ahead_us end
from development
