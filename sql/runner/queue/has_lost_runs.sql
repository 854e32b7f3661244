-- Returns whether `reclaim` must be executed, in addition to the dead workers that each poll finds. The value is true if
-- an unregistered worker has runs, or if a worker without a server process has transactional runs. A claim of a killed
-- worker may have been committed after the worker's other runs were released. The value is also true if a recorded death
-- is too old or in the future. Without this check, each worker would regularly execute `reclaim`, and would lock
-- event_cursor. Rows: one row with a boolean. Locks: none. Index: run_running.
select exists (select from unregistered_worker)
  or exists (
    select from gone_worker w, lateral (
      select from run r
      where r.worker is not null and r.worker = w.id and substr(r.token::text, 15, 1) <> '8'
      limit 1) r)
  or exists (
    select from worker_death where died_at < now() - interval '1 minute' or died_at > now() + interval '10 seconds')
