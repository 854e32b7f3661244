-- Notifies listening workers at COMMIT. `jobs` contains the names of the jobs with new runs, one per line. An empty
-- text notifies all workers. A worker that misses the NOTIFY message finds the runs at its next poll.
create or replace function notify_workers(lock_key bigint, jobs text default '') returns void
language sql as $$
  select pg_catalog.pg_notify('baton_' || lock_key, case when octet_length(jobs) < 7000 then jobs else '' end)
$$
