-- Deletes dead workers that have no runs. A worker without a server process may still perform effects, so its row
-- remains until its lease has expired. The caller must first execute note_deaths and reclaim. Rows: one row with the
-- number of workers whose rows remain only until the lease expires. Locks: the changed rows. Index: run_running.
with old as (
  delete from worker_death
  -- Deaths with a future time were recorded while the server's clock was wrong.
  where died_at < now() - interval '1 minute' or died_at > now() + interval '10 seconds'
),
forgotten as (
  delete from worker
  where held_at_death is not null and id in (select id from dead_worker)
    and not exists (select from run r where r.worker is not null and r.worker = worker.id)
)
update worker set awaits_lease = true
where performs_effects and not awaits_lease and held_at_death is not null
  and id in (select id from gone_worker) and id not in (select id from dead_worker)
  and not exists (
    select from run r
    where r.worker is not null and r.worker = worker.id and substr(r.token::text, 15, 1) <> '8')
