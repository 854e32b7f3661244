-- Lists the registered workers, oldest first. Rows: id, name, server process, ms since the start, ms since the last
-- heartbeat, whether the worker is dead, the program's release (null if unknown). A worker whose server process does
-- not exist counts as dead immediately, because possibly no other worker exists that could record the death. Other
-- workers release the runs of a dead worker. Locks: none. Index: worker_pkey.
select id, name, pid, (extract(epoch from now() - started_at) * 1000)::bigint,
  (extract(epoch from now() - heartbeat_at) * 1000)::bigint,
  held_at_death is not null or id in (select d.id from dead_worker d) or id in (select m.id from missing_worker m),
  release
from worker
order by started_at, id
