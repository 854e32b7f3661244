-- Wakes the workers that listen, at COMMIT: all, or those with one of these jobs, a line each. A NOTIFY is only a
-- hint: a worker that misses it still polls.
create or replace function notify_workers(lock_key bigint, jobs text default '') returns void
language sql as $$
  select pg_catalog.pg_notify('baton_' || lock_key, case when octet_length(jobs) < 7000 then jobs else '' end)
$$
