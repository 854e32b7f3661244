-- Wakes the listening workers that execute one of the given jobs. $1: the jobs, one per line. Rows: one empty row, or
-- none if no worker listens. Locks: the server's lock for NOTIFY, only for a moment.
select notify_workers(wake_key, $1) from event_target where wake_key is not null
