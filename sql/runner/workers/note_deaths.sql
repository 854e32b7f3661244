-- Records the deaths of workers that are dead or have no server process. Each death is recorded once, with the worker's
-- current number of runs. The recorded number includes the runs of effect jobs. These runs are reclaimed later than
-- transactional runs. If a worker registers again, its next death is also recorded. Rows: one row with the number of
-- recorded deaths. Locks: the rows of the dead workers. The caller must have locked event_cursor, and must call the
-- statement before reclaim. Index: run_running.
with held as (
  select w.id, w.heartbeat_at, count(r.id) as runs,
    -- If a worker died while it was executing a suspected run alone, the death is not evidence against any other run.
    count(r.id) = 1 and max(
      -- include: counted_crashes
    ) >= 2 as was_trial
  from worker w
  left join run r on r.worker is not null and r.worker = w.id
  where w.held_at_death is null
    and (w.id in (select id from dead_worker) or w.id in (select id from gone_worker))
  group by w.id
),
noted as (
  update worker w set held_at_death = h.runs
  from held h
  -- A worker that has just registered again has a newer heartbeat and is not recorded.
  where w.id = h.id and w.held_at_death is null and w.heartbeat_at = h.heartbeat_at
  returning w.id, h.was_trial
)
insert into worker_death (worker, was_trial)
select id, was_trial from noted
on conflict (worker) do nothing
