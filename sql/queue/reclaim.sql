-- Takes back the runs of dead workers. A crash may be one run's doing, so they come back in ever
-- smaller batches: a 25th, then alone; a third crash, alone, makes the run dead.
-- Rows: one: given back, dead. Locks: the runs, SKIP LOCKED: where a dead worker's last
-- transaction is still open in the server its runs wait for the next tick. Caller holds the cursor.
with lost as (
  delete from run d
  where d.ctid = any (array(
    select r.ctid from run r
    where r.state = 'running'
      and (r.worker in (select id from dead_worker)
        -- Killed between being taken for dead and being entered again, with a fresh claim.
        or not exists (select from worker w where w.id = r.worker))
    for update skip locked))
  returning d.*
),
counted as (
  select *, count(*) over (partition by token) as batch from lost
),
buried as (
  insert into dead_run (id, job, key, payload, attempt, error)
  select id, job, key, payload, attempt,
    'the worker died while it worked this run alone, three times in all'
  from counted
  where batch = 1 and crashes >= 2
  returning 1
),
back as (
  insert into run as r (id, job, key, state, due, first_event_at, last_event_at, attempt, crashes,
    batch_limit, payload, last_error)
  select id, job, key, 'ready', now(), first_event_at, last_event_at,
    case when batch = 1 then attempt else attempt - 1 end, crashes + 1,
    case when crashes = 0 then greatest(1, batch / 25) else 1 end, payload,
    'the worker died while it worked this run'
  from counted
  where not (batch = 1 and crashes >= 2)
  order by job, key
  on conflict (job, key, state) do update
  set attempt = greatest(r.attempt, excluded.attempt), due = greatest(r.due, excluded.due),
    crashes = greatest(r.crashes, excluded.crashes),
    batch_limit = coalesce(least(nullif(r.batch_limit, 0), nullif(excluded.batch_limit, 0)), 0),
    first_event_at = least(r.first_event_at, excluded.first_event_at),
    payload = coalesce(r.payload, excluded.payload),
    last_error = coalesce(excluded.last_error, r.last_error)
  returning 1
)
select (select count(*) from back), (select count(*) from buried)
