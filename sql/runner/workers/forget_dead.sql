-- Deletes dead workers without runs, and records their deaths for a minute. The statement must run after reclaim. Rows:
-- the number of recorded deaths, without workers that died while they executed a suspected run alone. Locks: the
-- deleted rows. Index: run_running.
with old as (
  delete from worker_death
  -- A death in the future was recorded while the server's clock was wrong.
  where died_at < now() - interval '1 minute' or died_at > now() + interval '10 seconds'
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
