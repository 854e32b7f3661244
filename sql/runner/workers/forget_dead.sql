-- Removes dead workers that hold no run, and records their deaths for a minute. Runs after reclaim. Rows: the number,
-- without workers that died while they tried a suspected run alone. Locks: their rows. Index: run_running.
with old as (
  delete from worker_death where died_at < now() - interval '1 minute'
),
gone as (
  delete from worker
  where id in (select id from dead_worker)
    and not exists (select from run r where r.worker is not null and r.worker = worker.id)
  returning id
)
insert into worker_death (worker, was_trial)
select id, false from gone
on conflict (worker) do nothing
