-- Makes dead runs ready again, with all their attempts, due now. $1 ids or null, $2 a job or null. A run keeps its id.
-- Of several runs of one key the newest continues; if its key has a ready run, it is merged into that. The ids that
-- disappear become earlier ids of the remaining run. Rows: one per run that is ready now: its id, how many dead runs it
-- includes, its job and key. Locks: those dead runs, and the ready runs of their keys, in the order in which a fold
-- takes them. Indexes: run_pkey, dead_run_pkey. It inserts runs directly instead of events: only an open transaction
-- could delay a fold, and this is a transaction of its own in one round trip.
with revived as (
  delete from dead_run
  where ($1::bigint[] is null or id = any ($1)) and ($2::text is null or job = $2)
  returning *
),
newest as (
  select distinct on (job, key) *, count(*) over (partition by job, key) as dead,
    min(coalesce(first_event_at, died_at)) over (partition by job, key) as asked_at,
    first_value(payload) over (partition by job, key order by id) as first_payload
  from revived
  order by job, key, id desc
),
others as (
  select r.job, r.key, array_agg(r.id order by r.id) as ids
  from revived r
  join newest n using (job, key)
  where r.id <> n.id
  group by 1, 2
),
made as (
  insert into run as r (id, job, key, state, due, first_event_at, last_event_at, payload, last_error,
    earlier_ids, priority, group_key)
  select n.id, n.job, n.key, 'ready', now(), n.asked_at, now(),
    case when n.dead = 1 then n.payload else later_payload(n.job, n.first_payload, n.payload) end, n.error,
    newest_ids(n.earlier_ids || o.ids), coalesce(j.priority, 5), run_group(n.job, n.key, n.payload)
  from newest n
  left join others o using (job, key)
  left join job j on j.name = n.job
  order by job, key
  on conflict (job, key, state) do update
  set first_event_at = least(r.first_event_at, excluded.first_event_at),
    last_event_at = greatest(r.last_event_at, excluded.last_event_at),
    priority = case when r.replaces then r.priority else least(r.priority, excluded.priority) end,
    group_key = case when r.replaces or r.payload is not null then r.group_key
      else coalesce(excluded.group_key, r.group_key) end,
    payload = case when r.replaces then r.payload
      else later_payload(r.job, excluded.payload, r.payload) end,
    last_error = coalesce(r.last_error, excluded.last_error),
    earlier_ids = newest_ids(r.earlier_ids || excluded.earlier_ids || excluded.id)
  returning id, job, key
)
select m.id, n.dead, m.job, m.key from made m join newest n using (job, key) order by m.id
