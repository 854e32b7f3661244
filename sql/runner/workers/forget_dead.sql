-- Deletes dead workers without runs. The row of a worker that is gone and performs effects remains until its lease has
-- expired, because the worker may still claim and perform effects on other connections. The statement must run after
-- note_deaths and reclaim. Rows: the number of workers that now only wait for the end of their lease. Locks: the
-- changed rows. Index: run_running.
with old as (
  delete from worker_death
  -- A death in the future was recorded while the server's clock was wrong.
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
