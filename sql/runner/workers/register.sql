-- Registers a worker, also again after its connection was lost.
-- $1 id, $2 name, $3 whether direct, $4 whether it listens. Rows: 1. Locks: the worker's row.
insert into worker as w (id, name, is_direct, listens, pid, backend_start)
select $1, $2, $3, $4, pg_backend_pid(),
  (select backend_start from pg_stat_activity where pid = pg_backend_pid())
on conflict (id) do update
set pid = excluded.pid, backend_start = excluded.backend_start,
  listens = excluded.listens, heartbeat_at = excluded.heartbeat_at, missing_since = null
