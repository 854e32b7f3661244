-- Inserts runs for many tenants into the tenants' group queues, as the dispatcher does when there is a backlog. $1: the
-- job's name. $2: the number of tenants. $3: the number of runs per tenant. Rows: one row with the number of runs.
-- Locks: the new rows.
insert into run (job, key, state, due, first_event_at, last_event_at, group_key, is_held)
select $1, t || '/' || n, 'ready', at, at, at, t::text, true
from generate_series(1, $3::bigint) n, generate_series(1, $2::bigint) t,
  lateral (select now() - interval '1 hour' + (n * $2 + t) * interval '1 us' as at) due
