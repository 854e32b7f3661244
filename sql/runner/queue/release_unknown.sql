-- Makes runs ready again that were claimed for a worker that does not know of the claim, because the result of the
-- claim was lost. Cancelled runs are left to end_lost. $1 is the worker. $2 contains the tokens that list_tokens has
-- returned and that the worker does not know. A list of known tokens would be unsafe, because the worker could claim
-- further runs before the statement runs. Rows: the number of released runs. Locks: the runs, and ready runs with the
-- same keys. Index: run_running.
with taken as (
  delete from run
  where state = 'running' and worker = $1 and token = any ($2)
    and not exists (select from cancellation c where c.run_id = run.id)
  returning *
)
insert into run as r (id, job, key, state, due, first_event_at, last_event_at, attempt, crashes,
  batch_limit, payload, last_error, earlier_ids, run_at, asked_at, backoff_until, replaces,
  priority, group_key, origin, trace, crashed_at)
select id, job, key, 'ready', now(), first_event_at, last_event_at, attempt - 1, crashes,
  batch_limit, payload, last_error, earlier_ids, run_at, asked_at, null, replaces, priority, group_key,
  origin, trace, crashed_at
from taken
order by job, key
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
