-- Searches for the event that a claimed run is waiting for, and stores the wait. If an event was dispatched, or if the
-- timeout has passed, the statement also stores the step's result. The stored result, which is either the event or the
-- timeout, is final. $1: the job's name. $2: the run's key. $3: the fencing token. $4: the run's id. $5: the step's
-- name. $6: the topic. $7: the event's key. $8: the timeout in ms, which only the first attempt uses. Rows: one row
-- with the result as JSON (null: none yet), the ms until the timeout, the time of the timeout, and the topic and the
-- key of the stored wait. If the topic or the key differs from the stored wait, the ms until the timeout are null, and
-- nothing changes. Locks: the wait, the checkpoint, and the run, which lock_claimed has already locked. Indexes:
-- run_pkey, event_wait_pkey, run_step_pkey, run_checkpoint_pkey, sent_event_key.
with old as materialized (
  select topic, event_key, seen from event_wait where run_id = $4 and name = $5
),
since as materialized (
  select least(first_event_at, asked_at, pg_catalog.now()) as at from run
  where job = $1 and key = $2 and state = 'running' and token = $3
),
-- The `found` CTE contains the oldest matching event that no other wait of the run has used. The first search of a wait
-- finds only events that were dispatched after the run was enqueued. A later search finds each event whose number is
-- higher than `seen`, even if the server's clock was set back.
found as materialized (
  select e.number, e.payload
  from sent_event e
  where e.topic = $6 and e.key = $7 and e.number > coalesce((select seen from old), 0)
    and (e.dispatched_at >= (select at from since) or (select seen from old) is not null)
    and not exists (select from event_wait w where w.run_id = $4 and w.event = e.number)
  order by e.number
  limit 1
),
newest as materialized (
  select number from sent_event where topic = $6 and key = $7 order by number desc limit 1
),
written as (
  insert into event_wait as w (run_id, name, job, run_key, topic, event_key, expires_at, seen, event)
  values ($4, $5, $1, $2, $6, $7, domain_now() + $8 * interval '1 millisecond',
    coalesce((select number from newest), 0), (select number from found))
  on conflict (run_id, name) do update
  set seen = excluded.seen, event = coalesce(w.event, excluded.event), attempt = null
  where w.topic = excluded.topic and w.event_key = excluded.event_key
  returning expires_at
),
marked as (
  update run set has_checkpoint = true
  where job = $1 and key = $2 and state = 'running' and token = $3 and has_checkpoint is null
    and exists (select from written)
),
checkpoint as (
  insert into run_checkpoint as c (run_id, job, key) select $4, $1, $2 from written
  on conflict (run_id) do update set saved_at = excluded.saved_at
),
decided as (
  insert into run_step (run_id, name, result)
  select $4, $5, case when f.number is null then json_build_object('topic', $6, 'key', $7, 'timedOut', true)
    else json_build_object('topic', $6, 'key', $7, 'event', f.number, 'payload', f.payload) end
  from written w
  left join found f on true
  where f.number is not null or w.expires_at <= domain_now()
  on conflict (run_id, name) do nothing
  returning result
)
select coalesce((select result from decided), (select result from run_step where run_id = $4 and name = $5))::text,
  (select greatest(0, ceil(extract(epoch from expires_at - domain_now()) * 1000))::bigint from written),
  (select iso_text(expires_at) from written), (select topic from old), (select event_key from old)
