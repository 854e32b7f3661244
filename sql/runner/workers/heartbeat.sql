-- Says that a worker lives. $1 id. Rows: 1; 0 where it was taken for dead. Locks: its row.
update worker set heartbeat_at = now() where id = $1
