-- The workers that have not said goodbye. Lost is who will not come back for its runs.
-- Rows: id, name, server process, ms since it started and since it last beat, lost?. Locks: none. Index: worker_pkey.
select id, name, pid, (extract(epoch from now() - started_at) * 1000)::bigint,
  (extract(epoch from now() - heartbeat_at) * 1000)::bigint,
  id in (select d.id from dead_worker d)
from worker
order by started_at, id
