-- Workers that will not return to their runs. A worker that is missing for a moment is not dead: if only its connection
-- was ended, it registers again, and its runs must not count a crash. If no other session can see a worker's death,
-- only its heartbeat shows it. That may be up to 5 s old when the worker dies, and other workers must have its runs
-- 20 s after its death.
-- needs: missing_worker
create or replace view dead_worker with (security_invoker = true) as
select w.id
from worker w
where w.heartbeat_at < pg_catalog.now() - interval '18 seconds'
  or w.missing_since < pg_catalog.now() - interval '200 milliseconds'
    and w.id in (select id from missing_worker)
