-- Makes claimed runs ready again. If the key already has a ready run, both runs are merged. The merged run has the
-- higher attempt, the smaller batch limit, and the newer payload with its id. The other run's id becomes an earlier id
-- of the merged run. The merged run is due after the wait, or later if the ready run has replaced earlier calls. The
-- statements reclaim and release_unknown merge runs in the same way. $1 is the job, $2 the keys, $3 the token, $4 the
-- number of attempts to subtract, $5 the wait in ms. $6 is the batch limit and $7 the error, or null for no change.
-- Rows: the number of runs that still had the token. Locks: the runs, and ready runs with the same keys. Index:
-- run_pkey.
with taken as (
  delete from run where job = $1 and key = any ($2) and state = 'running' and token = $3 returning *
)
insert into run as r (id, job, key, state, due, first_event_at, last_event_at, attempt, crashes,
  batch_limit, payload, last_error, earlier_ids, run_at, asked_at, backoff_until, replaces,
  priority, group_key, origin, trace, crashed_at)
select id, job, key, 'ready', now() + $5 * interval '1 millisecond', first_event_at,
  last_event_at, attempt - $4, crashes, coalesce($6, batch_limit), payload,
  coalesce($7, last_error), earlier_ids, run_at, asked_at,
  case when $5 > 0 then now() + $5 * interval '1 millisecond' end, replaces, priority, group_key, origin, trace,
  crashed_at
from taken
order by key
on conflict (job, key, state) do update
set attempt = greatest(r.attempt, excluded.attempt),
  due = case when r.replaces then greatest(r.due, excluded.due)
    else greatest(r.backoff_until, excluded.due) end,
  backoff_until = greatest(r.backoff_until, excluded.backoff_until),
  crashes = greatest(r.crashes, excluded.crashes),
  batch_limit = coalesce(least(nullif(r.batch_limit, 0), nullif(excluded.batch_limit, 0)), 0),
  first_event_at = case when r.replaces then r.first_event_at
    else least(r.first_event_at, excluded.first_event_at) end,
  last_event_at = case when r.replaces then r.last_event_at
    else greatest(r.last_event_at, excluded.last_event_at) end,
  run_at = case when r.replaces then r.run_at else least(r.run_at, excluded.run_at) end,
  asked_at = case when r.replaces then r.asked_at else least(r.asked_at, excluded.asked_at) end,
  priority = case when r.replaces then r.priority else least(r.priority, excluded.priority) end,
  group_key = case when r.replaces or r.payload is not null then r.group_key
    else coalesce(excluded.group_key, r.group_key) end,
  is_held = false,
  origin = case when r.replaces then r.origin
    else nullif(least(coalesce(r.origin, ''), coalesce(excluded.origin, '')), '') end,
  trace = case when r.replaces then r.trace
    else nullif(left(concat_ws(' ', excluded.trace, r.trace), 447), '') end,
  payload = case when r.replaces then r.payload
    else later_payload(r.job, excluded.payload, r.payload) end,
  last_error = coalesce(excluded.last_error, r.last_error),
  earlier_ids = newest_ids(r.earlier_ids || excluded.earlier_ids || excluded.id),
  crashed_at = greatest(r.crashed_at, excluded.crashed_at)
