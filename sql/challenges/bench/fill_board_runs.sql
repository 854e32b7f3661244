-- Creates one run of a job for each board, in board order, as in the plain SQL benchmark. $1: the job's name. Rows: one
-- row with the number of inserted rows. Locks: the new rows.
insert into run (job, key, state, due, first_event_at, last_event_at)
select $1, id::text, 'ready', at, at, at
from (select id, row_number() over (order by ctid) as n from challenge) c,
  lateral (select now() - interval '1 hour' + n * interval '1 us' as at) due
