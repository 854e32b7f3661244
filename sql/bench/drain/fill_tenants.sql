-- Inserts runs of many tenants, held in the tenants' queues as the fold holds a backlog. $1 job, $2 how many tenants,
-- $3 how many runs of each. Rows: the number of runs. Locks: the new rows.
insert into run (job, key, state, due, first_event_at, last_event_at, group_key, is_held)
select $1, t || '/' || n, 'ready', at, at, at, t::text, true
from generate_series(1, $3::bigint) n, generate_series(1, $2::bigint) t,
  lateral (select now() - interval '1 hour' + (n * $2 + t) * interval '1 us' as at) due
