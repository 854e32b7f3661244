-- Returns claimed runs to the queue if their worker never received the result of the claim. Cancelled runs are not
-- changed, because end_lost deletes them. $1: the worker's id. $2: the tokens from list_tokens that are unknown to the
-- worker. A list of known tokens would be unsafe, because the worker could claim more runs before this statement is
-- executed. The runs are due after 100 ms, as in the `release` statement. Rows: one row with the number of released
-- runs. Locks: the runs, and the ready runs of their keys. Index: run_running.
with taken as (
  delete from run
  where state = 'running' and worker = $1 and token = any ($2)
    and not exists (select from cancellation c where c.run_id = run.id)
  returning *
)
insert into run as r (id, job, key, state, due, first_event_at, last_event_at, attempt, crashes,
  batch_limit, payload, last_error, earlier_ids, run_at, asked_at, backoff_until,
  priority, group_key, origin, trace, crashed_at, newest_event, payload_event, replaced_by, calls, has_checkpoint,
  claim_number)
select id, job, key, case when has_checkpoint then 'running' else 'ready' end::run_state,
  -- include: after_commit
  , first_event_at, last_event_at, attempt - 1, crashes,
  batch_limit, payload, last_error, earlier_ids, run_at, asked_at, null, priority, nullif(group_key, ''),
  origin, trace, crashed_at, newest_event, payload_event, replaced_by, calls, has_checkpoint, -1
from taken
order by job, key
-- include: return_run
