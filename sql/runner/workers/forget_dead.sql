-- Takes out dead workers that hold no run any more, and notes for a minute that they died.
-- Rows: the number, those aside that died of a run's trial. Locks: their rows. Behind reclaim.
with old as (
  delete from worker_death where died_at < now() - interval '1 minute'
),
gone as (
  delete from worker
  where id in (select id from dead_worker)
    and not exists (select from run where state = 'running' and worker = worker.id)
  returning id
)
insert into worker_death (worker, was_trial)
select id, false from gone
on conflict (worker) do nothing
