-- Makes one run of one job for each board. $1 job. Rows: the number. Locks: the new rows. The order is the one in which
-- the boards were made, as in the raw comparison.
insert into run (job, key, state, due, first_event_at, last_event_at)
select $1, id::text, 'ready', at, at, at
from (select id, row_number() over (order by ctid) as n from challenge) c,
  lateral (select now() - interval '1 hour' + n * interval '1 us' as at) due
