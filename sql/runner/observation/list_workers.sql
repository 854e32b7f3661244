-- Lists the registered workers, oldest first. Rows: id, name, server process, ms since the worker started, ms since its
-- last heartbeat, whether the worker is dead. The runs of a dead worker are released to other workers. Locks: none.
-- Index: worker_pkey.
select id, name, pid, (extract(epoch from now() - started_at) * 1000)::bigint,
  (extract(epoch from now() - heartbeat_at) * 1000)::bigint,
  id in (select d.id from dead_worker d)
from worker
order by started_at, id
