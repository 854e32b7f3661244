-- How many runs of some jobs wait for their next attempt or are snoozed. $1 the jobs. Rows: one: the number,
-- milliseconds until the first of them is due (null: none waits). Locks: none. Index: run_backoff.
select count(*), (extract(epoch from min(backoff_until) - now()) * 1000)::bigint
from run
where job = any ($1) and state = 'ready' and backoff_until > now()
