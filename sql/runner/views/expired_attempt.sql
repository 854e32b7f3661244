-- Contains the failed attempts that purge-runs deletes: attempts that are older than the retention period of the
-- history and belong to ended runs. The view excludes attempts of ready, running and dead runs, including the attempts
-- of runs that were merged into them. Dead runs are compared by id only, because a key can have thousands of dead runs.
create or replace view expired_attempt with (security_invoker = true) as
select a.id, a.ended_at
from failed_attempt a
where a.ended_at < cutoff_of((select run_history_age from runner_setting))
  and not exists (
    select from run r
    where r.job = a.job and r.key = a.key and (r.id = a.run_id or a.run_id = any (r.earlier_ids)))
  and not exists (select from dead_run d, unnest(d.id || d.earlier_ids) i (id) where i.id = a.run_id)
