-- Inserts runs of one job, due a microsecond apart. $1 job, $2 how many. Rows: the number. Locks: the new rows.
insert into run (job, key, state, due, first_event_at, last_event_at)
select $1, n::text, 'ready', at, at, at
from generate_series(1, $2::bigint) n,
  lateral (select now() - interval '1 hour' + n * interval '1 us' as at) due
