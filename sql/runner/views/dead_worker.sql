-- Contains the dead workers, whose runs and effects other workers take over. A worker is dead after 18 s without a
-- heartbeat. A worker that performs no effects is also dead if it is gone (gone_worker). Other workers take over the
-- runs of a dead worker at most 20 s after its death.
-- needs: gone_worker
create or replace view dead_worker with (security_invoker = true) as
select w.id
from worker w
where w.heartbeat_at < pg_catalog.now() - interval '18 seconds'
  or not w.performs_effects and w.missing_since is not null and w.id in (select id from gone_worker)
