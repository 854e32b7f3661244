-- Stores the sent events of a dispatch. Runs that wait for these events become due. If the dispatch contains the start
-- of a wait and the event was already sent, the waiting run also becomes due. The `fresh` CTE contains the events of
-- the dispatch. The `bound` CTE contains the earliest due time of a run. Statements that include the fragment continue
-- with the fold_calls fragment. Rows: none, because the fragment is only part of a statement. Locks: the runs that
-- become due. Indexes: event_wait_key, sent_event_key, run_pkey.
counted as materialized (
  select count(*) as events, count(*) filter (where topic >= 'wait/' and topic < 'wait0') > 0 as has_awaited from fresh
),
-- The `bound` CTE contains the time of the previous dispatch. Each poll searches only from the places that the previous
-- poll returned (fragment front). If the due time of a run were before the previous dispatch, polls could miss the run.
-- If the server's clock was set back, a stored time in the future does not delay runs.
bound as materialized (
  select case when dispatched_at > statement_timestamp() then statement_timestamp() else dispatched_at end as at
  from event_position
  -- Without the condition on `set_by`, a dispatch without events would read all deleted positions that VACUUM has not
  -- removed yet.
  where (select set_by from event_position order by id desc limit 1) = pg_current_xact_id_if_assigned()
  order by id desc limit 1 offset 1
),
-- The `awaited` CTE contains sent events and starts of waits. The start of a wait has the id of the waiting run. An
-- event is stored even if no run waits for it yet: a wait that commits later must find the event.
awaited as materialized (
  select substr(topic, length('wait/') + 1) as topic, key, payload, id, run_id from fresh
  where (select has_awaited from counted) and topic >= 'wait/' and topic < 'wait0'
),
sent as (
  insert into sent_event (topic, key, payload)
  select topic, key, payload from awaited where run_id is null order by id
),
-- The `answered` CTE contains the waiting runs whose event is in this dispatch. The CTE also contains a run if the
-- event was dispatched after the attempt's search for the event, but before the wait started. OFFSET 0 forces a search
-- for each event.
answered as materialized (
  select w.job, w.run_key, w.run_id, w.attempt
  from awaited a, lateral (
    select * from event_wait w
    where w.topic = a.topic and w.event_key = a.key and w.attempt is not null
      and (a.run_id is null or w.run_id = a.run_id and exists (
        select from sent_event e where e.topic = w.topic and e.key = w.event_key and e.number > w.seen))
    offset 0) w
),
woken as (
  -- The backoff_until column contains the wait's timeout, so the update sets it to null. Otherwise, a worker with
  -- --until-idle would treat the due run as a run in backoff, and would stop.
  update run set due = greatest(now(), (select at from bound)), backoff_until = null
  where worker is null and due > now() and ctid = any (array(
    select r.place
    from (select distinct job, run_key, run_id, attempt from answered) a, lateral (
      select r.ctid as place from run r
      where r.job = a.job and r.key = a.run_key and r.state = 'running' and r.id = a.run_id
        and r.attempt = a.attempt and r.worker is null
      offset 0) r))
  returning job
),
