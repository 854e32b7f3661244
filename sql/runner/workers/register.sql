-- Registers a worker, also again after its connection was lost. $1 id, $2 name, $3 whether direct, $4 whether it
-- listens. Rows: 1. Locks: the worker's row. A login that acts as the worker's role may not read the start of its own
-- server process. Such a worker counts as not direct, and only its heartbeat shows that it lives: otherwise a role that
-- may read the start would take the worker for missing.
insert into worker as w (id, name, is_direct, listens, pid, backend_start)
select $1, $2, $3::boolean and a.backend_start is not null, $4, a.pid, a.backend_start
from (
  select p.pid, (select s.backend_start from pg_stat_activity s where s.pid = p.pid) as backend_start
  from (select pg_backend_pid() as pid) p
) a
on conflict (id) do update
set pid = excluded.pid, backend_start = excluded.backend_start, is_direct = excluded.is_direct,
  listens = excluded.listens, heartbeat_at = excluded.heartbeat_at, missing_since = null
