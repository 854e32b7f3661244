-- Workers that will not come back for their runs. Missing for a moment is not dead: a worker whose
-- connection alone was ended registers again, and its runs must not count a crash. One that nobody can
-- see dying has beaten up to 5 s before, and its runs have to be with others 20 s after its death.
-- needs: missing_worker
create or replace view dead_worker with (security_invoker = true) as
select w.id
from worker w
where w.heartbeat_at < pg_catalog.now() - interval '18 seconds'
  or w.missing_since < pg_catalog.now() - interval '200 milliseconds'
    and w.id in (select id from missing_worker)
