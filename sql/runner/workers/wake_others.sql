-- Wakes the workers that listen and have one of these jobs. $1 the jobs, a line each. Rows: one; none if no worker
-- listens. Locks: for an instant the server's lock that all notifying transactions share.
select notify_workers(wake_key, $1) from event_target where wake_key is not null
