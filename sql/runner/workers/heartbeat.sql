-- Stores the time of a worker's heartbeat. $1 is the id of the worker. Rows: 1 affected row, or 0 if the worker was
-- removed as dead. Locks: the row of the worker.
update worker set heartbeat_at = now() where id = $1
