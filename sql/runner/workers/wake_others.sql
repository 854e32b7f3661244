-- Wakes the listening workers that execute one of the given jobs. $1: the jobs, one per line. Rows: one empty row. If
-- no worker listens, no rows are returned. Locks: the server's lock for NOTIFY, briefly.
select notify_workers(wake_key, $1) from event_target where wake_key is not null
