-- Failed attempts that purge-runs removes: older than the history is kept, and of runs that have ended. Attempts of a
-- run that waits, runs or is dead stay, also under one of its earlier ids.
create or replace view expired_attempt with (security_invoker = true) as
select a.id, a.ended_at
from failed_attempt a
where a.ended_at < cutoff_of((select run_history_age from runner_setting))
  and not exists (
    select from run r
    where r.job = a.job and r.key = a.key and (r.id = a.run_id or a.run_id = any (r.earlier_ids)))
  and not exists (
    select from dead_run d
    where d.job = a.job and d.key = a.key and (d.id = a.run_id or a.run_id = any (d.earlier_ids)))
