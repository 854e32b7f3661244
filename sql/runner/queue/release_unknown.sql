-- Makes runs ready again that were claimed for a worker that does not know of the claim, because the result of the
-- claim was lost. Cancelled runs are left to end_lost. $1: the worker. $2: the tokens that list_tokens has returned and
-- that the worker does not know. A list of known tokens would be unsafe, because the worker could claim further runs
-- before the statement runs. The runs are due after 100 ms, as in release. Rows: the number of released runs. Locks:
-- the runs, and ready runs with the same keys. Index: run_running.
with taken as (
  delete from run
  where state = 'running' and worker = $1 and token = any ($2)
    and not exists (select from cancellation c where c.run_id = run.id)
  returning *
)
insert into run as r (id, job, key, state, due, first_event_at, last_event_at, attempt, crashes,
  batch_limit, payload, last_error, earlier_ids, run_at, asked_at, backoff_until,
  priority, group_key, origin, trace, crashed_at, newest_event, payload_event, replaced_by, calls)
select id, job, key, 'ready',
  -- include: after_commit
  , first_event_at, last_event_at, attempt - 1, crashes,
  batch_limit, payload, last_error, earlier_ids, run_at, asked_at, null, priority, group_key,
  origin, trace, crashed_at, newest_event, payload_event, replaced_by, calls
from taken
order by job, key
-- include: return_run
