-- Notifies listening workers at COMMIT. `lock_key` is the lock key from the event_target view. `jobs` contains the
-- names of the jobs with new runs, one per line. If `jobs` is an empty string, all workers are notified. If a worker
-- misses the NOTIFY message, it finds the runs at the next poll.
create or replace function notify_workers(lock_key bigint, jobs text default '') returns void
language plpgsql as $$
begin
  perform pg_catalog.pg_notify(t.channel, case when octet_length(jobs) < 7000 then jobs else '' end)
  from event_target t
  where t.lock_key = notify_workers.lock_key;
end $$
