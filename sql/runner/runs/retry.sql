-- Returns dead runs to the queue and resets their attempt counts (fragment after_commit). $1: the ids. Dead runs with
-- the same key are merged into the run with the newest payload. The resulting run is also merged into the key's ready
-- run (fragment merge_run). The ids of merged runs are stored in `earlier_ids` of the remaining run. A run with a
-- checkpoint is never merged. A run with a checkpoint stays dead if another run with the same key is running. Rows: one
-- row for each run that is now waiting, with its id and the number of dead runs that it replaces. If a run stays dead,
-- its row contains 0. Locks: the dead runs, and the ready runs of their keys, in the same order as in the `fold`
-- statement. Indexes: run_pkey, dead_run_pkey, run_checkpoint_pkey. The statement inserts runs instead of events. Until
-- COMMIT, a dispatch of the same keys waits, so the caller must already have locked the batches (lock_members).
with kept as materialized (
  select d.* from dead_run d
  where d.id = any ($1) and exists (select from run_checkpoint c where c.run_id = d.id)
),
resumed as (
  insert into run (id, job, key, state, due, first_event_at, last_event_at, payload, last_error,
    earlier_ids, priority, group_key, newest_event, payload_event, replaced_by, has_checkpoint, claim_number)
  select k.id, k.job, k.key, 'running',
    -- include: after_commit
    , coalesce(k.first_event_at, k.died_at), now(), k.payload, k.error, k.earlier_ids, coalesce(j.priority, 5),
    nullif(run_group(k.job, k.key, k.payload), ''), k.newest_event, k.payload_event, k.replaced_by, true, -1
  from kept k
  left join job j on j.name = k.job
  order by k.job, k.key, k.id
  on conflict (job, key, state) do nothing
  returning id
),
revived as (
  delete from dead_run
  where id = any ($1) and id not in (select id from kept)
  returning *
),
gone as (
  delete from dead_run where id in (select id from resumed)
),
dead as (
  select *, count(*) over of_key as dead, min(coalesce(first_event_at, died_at)) over of_key as asked_at,
    max(newest_event) over of_key as newest_of_key, max(replaced_by) over of_key as replaced_of_key
  from revived
  window of_key as (partition by job, key)
),
-- The `first_payload` column contains the oldest payload that no call with `replace` has replaced.
newest as (
  select distinct on (job, key) *, first_value(payload) over (
    partition by job, key
    order by coalesce(payload_event, 0) < coalesce(replaced_of_key, 0), payload_event nulls first, id) as first_payload
  from dead
  order by job, key, payload_event desc nulls last, id desc
),
-- The `others` CTE contains all ids of the older dead runs, including those from earlier merges.
others as (
  select r.job, r.key, array_agg(i.id order by r.id, i.number) as ids
  from revived r
  join newest n using (job, key),
  unnest(coalesce(r.earlier_ids, '{}') || r.id) with ordinality i (id, number)
  where r.id <> n.id
  group by 1, 2
),
-- A run keeps its payloads under its id. If the newest dead run has received its payloads, the merged run needs a new
-- id to receive the payloads of the other dead runs.
renewed as materialized (
  select n.job, n.key, case when n.dead > 1 and exists (select from run_payload p where p.taken_by = n.id)
    then nextval('run_id_seq') else n.id end as id
  from newest n
),
made as (
  insert into run as r (id, job, key, state, due, first_event_at, last_event_at, payload, last_error,
    earlier_ids, priority, group_key, newest_event, payload_event, replaced_by)
  select w.id, n.job, n.key, 'ready',
    -- include: after_commit
    , n.asked_at, now(),
    case when n.dead = 1 then n.payload else later_payload(n.job, n.first_payload, n.payload) end, n.error,
    newest_ids(o.ids || n.earlier_ids || case when w.id <> n.id then array[n.id] end), coalesce(j.priority, 5),
    nullif(run_group(n.job, n.key, n.payload), ''), n.newest_of_key,
    n.payload_event, n.replaced_of_key
  from newest n
  join renewed w using (job, key)
  left join others o using (job, key)
  left join job j on j.name = n.job
  order by job, key
  on conflict (job, key, state) do update
  set
  -- include: merge_run
    -- A time that was asked for does not delay the retried run, as in the return_run fragment.
    due = case
      when r.replaced_by > coalesce(excluded.newest_event, 0) or r.first_event_at is not null
        then greatest(r.due, excluded.due)
      else greatest(r.backoff_until, excluded.due) end,
    is_held = false,
    last_error = coalesce(r.last_error, excluded.last_error),
    earlier_ids = newest_ids(
      -- include: merged_ids
      )
  returning id, job, key
)
select m.id, n.dead from made m join newest n using (job, key)
union all
select k.id, (k.id in (select id from resumed))::integer from kept k
order by 1
