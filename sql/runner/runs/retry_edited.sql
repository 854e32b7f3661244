-- Makes a dead run ready again, with a different payload and a new id. $1: the id of the dead run. The statement stores
-- this id in the new run's `earlier_ids`. $2: the payload as JSON. If the job reads all payloads, $2 replaces the
-- payloads of the dead run. The edit counts as the newest call with the key. If the new run is merged with a ready run
-- (fragment merge_run), the merged run has the payload $2. Rows: one row with the id of the ready run. If the run is
-- not dead, no rows are returned. Locks: the dead run, its payloads, and the key's ready run. Indexes: dead_run_pkey,
-- run_pkey, run_payload_taken_by. Errors: ZB007 (payload too large).
with revived as (
  delete from dead_run where id = $1 returning *
),
edit as materialized (
  select r.*, $2::text::jsonb as new_payload, nextval('run_id_seq') as new_id, nextval('event_id_seq') as event,
    check_call(false, r.key, $2::text::jsonb, null, null, null) as checked
  from revived r
),
dropped as (
  delete from run_payload where taken_by in (select id from revived)
),
collected as (
  insert into run_payload (id, job, key, payload)
  select e.event, e.job, e.key, e.new_payload
  from edit e
  join job j on j.name = e.job
  where j.keeps_payloads
)
insert into run as r (id, job, key, state, due, first_event_at, last_event_at, payload, last_error,
  earlier_ids, priority, group_key, newest_event, payload_event, replaced_by)
select e.new_id, e.job, e.key, 'ready',
  -- include: after_commit
  , coalesce(e.first_event_at, e.died_at), now(), e.new_payload, e.error, newest_ids(e.earlier_ids || e.id),
  coalesce(j.priority, 5), nullif(run_group(e.job, e.key, e.new_payload), ''), e.event, e.event, e.replaced_by
from edit e
left join job j on j.name = e.job
on conflict (job, key, state) do update
set
-- include: merge_run
  -- A time that was asked for does not delay the retried run, as in the return_run fragment.
  due = case
    when r.replaced_by > coalesce((select newest_event from edit), 0) or r.first_event_at is not null
      then greatest(r.due, excluded.due)
    else greatest(r.backoff_until, excluded.due) end,
  is_held = false,
  last_error = coalesce(r.last_error, excluded.last_error),
  earlier_ids = newest_ids(
    -- include: merged_ids
    )
returning id
