-- Stores the time of a worker's heartbeat. $1: the worker's id. Rows: 1 affected row. If no row is affected, the worker
-- was recorded as dead or was registered on another connection, and must register again. Locks: the worker's row.
update worker set heartbeat_at = now()
where id = $1 and held_at_death is null and (pid = pg_backend_pid() or not is_direct)
