-- Inserts runs of one job. $1: the job's name. $2: the number of runs. $3: the interval between the due times of
-- successive runs, in microseconds. Rows: the number of inserted rows. Locks: the new rows.
insert into run (job, key, state, due, first_event_at, last_event_at)
select $1, n::text, 'ready', at, at, at
from generate_series(1, $2::bigint) n,
  lateral (select now() - interval '1 hour' + n * $3::bigint * interval '1 us' as at) due
