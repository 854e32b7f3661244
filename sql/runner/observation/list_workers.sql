-- The registered workers. A lost worker is a dead one, which will not return to its runs. Rows: id, name, server
-- process, ms since it started and since its last heartbeat, lost?. Locks: none. Index: worker_pkey.
select id, name, pid, (extract(epoch from now() - started_at) * 1000)::bigint,
  (extract(epoch from now() - heartbeat_at) * 1000)::bigint,
  id in (select d.id from dead_worker d)
from worker
order by started_at, id
