-- Contains workers whose server process for heartbeats has been missing for 200 ms. Other workers take over the
-- transactional runs of these workers. A worker that has only lost its connection registers again within 200 ms. While
-- the server is executing a statement from the worker's dispatcher, the worker is gone only after 2 s. Effects of a
-- gone worker may still be in progress. Other workers take over the effects of a gone worker only after the dead_worker
-- view contains the worker.
-- needs: missing_worker
create or replace view gone_worker with (security_invoker = true) as
select w.id
from worker w
where w.awaits_lease
  or w.id in (select id from missing_worker)
    and w.missing_since < pg_catalog.now() - case
      when exists (
        select from pg_stat_get_activity(coalesce(w.dispatcher_pid, 0)) a where a.backend_start = w.dispatcher_start)
        then interval '2 seconds'
      else interval '200 milliseconds' end
