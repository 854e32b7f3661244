-- Contains workers whose transactional runs other workers take over, because the server process of their heartbeats has
-- been missing for 200 ms. A worker that has lost its connection registers again within this time. The runs of such a
-- worker must not count a crash. Effects of a worker that is gone may still be in progress. They are taken over only
-- after the worker's lease, when the worker is in dead_worker.
-- needs: missing_worker
create or replace view gone_worker with (security_invoker = true) as
select w.id
from worker w
where w.awaits_lease
  or w.missing_since < pg_catalog.now() - interval '200 milliseconds'
    and w.id in (select id from missing_worker)
