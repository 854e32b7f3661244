-- Records a worker's heartbeat. $1 id. Rows: 1; 0 if the worker was taken for dead. Locks: its row.
update worker set heartbeat_at = now() where id = $1
