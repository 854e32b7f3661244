-- Inserts runs of one job, whose due times are one microsecond apart. $1 is the job, $2 is the number of runs. Rows:
-- the number of inserted rows. Locks: the new rows.
insert into run (job, key, state, due, first_event_at, last_event_at)
select $1, n::text, 'ready', at, at, at
from generate_series(1, $2::bigint) n,
  lateral (select now() - interval '1 hour' + n * interval '1 us' as at) due
