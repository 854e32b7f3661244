-- Releases the runs of dead workers, except cancelled runs (end_lost). If a worker's server process is missing but the
-- worker is not dead, its effects may be in progress, so only transactional runs are released. After a crash, the size
-- of the run's next batch is divided by 25. After a second crash, the run is executed alone in its worker process
-- (batch_limit -1). A run that crashes alone after two earlier crashes becomes dead. If other workers also died in the
-- last minute, the run is retried. A committed step of a StepJob resets `crashes`, but crashes of the last ten minutes
-- always count. Rows: one row with the numbers of released and dead runs. Locks: the runs, SKIP LOCKED, and the dead
-- runs' payloads. If the server still executes a dead worker's last transaction, a later poll releases its runs. The
-- caller must have locked event_cursor and called note_deaths. Indexes: run_running, run_payload_pkey.
with lost as (
  delete from run d
  where d.ctid = any (array(
    select r.ctid from run r
    -- The list of workers bounds the search in the index. While an old transaction is open, the index contains an entry
    -- for each run that a live worker has completed.
    where r.state = 'running' and r.worker = any (array(
        select id from dead_worker union select id from gone_worker union select id from unregistered_worker))
      and
        -- include: lost_run
      and not exists (select from cancellation c where c.run_id = r.id)
    for update skip locked))
  returning d.*
),
held as (
  -- The note_deaths statement has recorded the number of runs of each dead worker. This CTE counts the runs of
  -- unregistered workers.
  select r.worker, coalesce(min(w.held_at_death), count(*)) as runs from run r
  left join worker w on w.id = r.worker
  where r.state = 'running' and r.worker is not null and r.worker in (select worker from lost)
  group by r.worker
),
counted as (
  select r.*, count(*) over (partition by r.token) as batch, h.runs = 1 as was_alone, c.counted_crashes,
    c.counted_crashes >= 2 and h.runs = 1 as was_trial
  from lost r
  join held h using (worker),
  lateral (select
    -- include: counted_crashes
      as counted_crashes) c
),
trials as (
  insert into worker_death (worker, was_trial)
  select worker, true from counted where was_trial
  on conflict (worker) do nothing
),
others as (
  select count(*) as deaths from worker_death
  where not was_trial and died_at > now() - interval '1 minute'
),
judged as (
  -- If the number of recent worker deaths is higher than the run's number of crashes, the run did not cause the deaths.
  select c.*, is_cause,
    'the worker died while it worked this run'
      || case when is_cause then format(' alone, %s times in all', counted_crashes + 1) else '' end as message
  from counted c, others, lateral (select was_trial and deaths <= counted_crashes as is_cause) l
),
old as (
  delete from failed_attempt a
  using judged j, lateral (
    select o.id from failed_attempt o where o.run_id = j.id and not o.is_snooze order by o.id desc offset 19) o
  where j.was_alone and a.id = o.id
),
failed as (
  insert into failed_attempt (run_id, job, key, attempt, worker, ended_at, error)
  select j.id, j.job, j.key, j.attempt, w.name, now(), j.message
  from judged j
  left join worker w on w.id = j.worker
  where j.was_alone
),
cause as materialized (
  select * from judged where is_cause
),
-- The log of a restored cluster is dispatched again, so a run that was already dead can become dead again.
replaced as (
  delete from dead_run where id = any (array(select id from cause)) returning 1
),
dead_lettered as (
  insert into dead_run (id, job, key, payload, attempt, error, earlier_ids, first_event_at, newest_event,
    payload_event, replaced_by)
  select id, job, key, payload, attempt, message, earlier_ids, least(first_event_at, asked_at), newest_event,
    payload_event, replaced_by
  from cause
  -- The count forces the deletion before the insertion.
  where (select count(*) from replaced) >= 0
  returning 1
),
-- A dead run keeps its payloads, so the next run of the key does not receive them.
assigned as (
  update run_payload p
  set taken_by = (select c.id from cause c where c.job = p.job and c.key = p.key)
  where p.ctid = any (array(
    select u.place
    from cause r, lateral (
      select f.place from free_payload f
      where f.id >= coalesce(r.replaced_by, 0) and
        -- include: unassigned
      offset 0) u))
),
own as (
  insert into run_payload (id, job, key, payload, taken_by)
  select r.payload_event, r.job, r.key, r.payload, r.id
  from cause r
  where r.payload is not null
    and (
      select true from free_payload f
      where f.id >= coalesce(r.replaced_by, 0) and
        -- include: unassigned
      limit 1)
  on conflict do nothing
),
back as (
  insert into run as r (id, job, key, state, due, first_event_at, last_event_at, attempt, crashes,
    batch_limit, payload, last_error, earlier_ids, run_at, asked_at, backoff_until,
    priority, group_key, origin, trace, crashed_at, newest_event, payload_event, replaced_by, calls, has_checkpoint,
    claim_number)
  select id, job, key, case when has_checkpoint then 'running' else 'ready' end::run_state, statement_timestamp(),
    first_event_at, last_event_at,
    case when was_alone then attempt else attempt - 1 end, crashes + 1,
    case when counted_crashes = 0 then greatest(1, batch / 25) else -1 end, payload, message,
    earlier_ids, run_at, asked_at, null, priority, nullif(group_key, ''), origin, trace,
    -- The times of the last two crashes are stored, so that a third crash within ten minutes can be detected.
    (crashed_at || now())[greatest(1, cardinality(crashed_at)):],
    newest_event, payload_event, replaced_by, calls, has_checkpoint, -1
  from judged
  where not is_cause
  order by job, key
  -- include: return_run
  returning 1
)
select (select count(*) from back), (select count(*) from dead_lettered)
