-- Contains workers whose runs other workers take over. A worker is dead after 18 s without a heartbeat. A worker whose
-- server process is missing is dead only after 200 ms, because a worker that has lost its connection registers again.
-- The runs of such a worker must not count a crash. A heartbeat may be 5 s old when a worker dies, and other workers
-- must have its runs 20 s after the death.
-- needs: missing_worker
create or replace view dead_worker with (security_invoker = true) as
select w.id
from worker w
where w.heartbeat_at < pg_catalog.now() - interval '18 seconds'
  or w.missing_since < pg_catalog.now() - interval '200 milliseconds'
    and w.id in (select id from missing_worker)
