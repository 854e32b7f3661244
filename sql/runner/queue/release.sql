-- Returns claimed runs to the queue. A run with a checkpoint stays `running`, without a worker. If a run has no
-- checkpoint and its key already has a ready run, the two runs are merged (fragment return_run). $1: the job's name.
-- $2: the run keys. $3: the fencing token. $4: the number of attempts to subtract. $5: the wait in ms. $6: the batch
-- limit, or 0 for no limit. $7: the error, or null for no change. If $6 is 0, two kinds of runs keep their batch limit:
-- runs with crashes, and runs that another release could not decode. Rows: one row with the number of runs that still
-- had the fencing token. Locks: the runs, the ready runs of their keys, and the runs' waits. Indexes: run_pkey,
-- event_wait_pkey.
with taken as (
  delete from run where job = $1 and key = any ($2) and state = 'running' and token = $3 returning *
),
-- The waits of earlier attempts must not shorten the wait $5, so the statement deactivates them. If the current attempt
-- waits for an event, the park_waits statement activates the wait for the event again.
unparked as (
  update event_wait set attempt = null
  where run_id = any (array(select id from taken where has_checkpoint)) and attempt is not null
)
insert into run as r (id, job, key, state, due, first_event_at, last_event_at, attempt, crashes,
  batch_limit, payload, last_error, earlier_ids, run_at, asked_at, backoff_until,
  priority, group_key, origin, trace, crashed_at, newest_event, payload_event, replaced_by, calls, has_checkpoint,
  claim_number)
select id, job, key, case when has_checkpoint then 'running' else 'ready' end::run_state,
  greatest(now() + $5 * interval '1 millisecond',
    case when l.batch_limit = 0 then
      -- include: after_commit
    end),
  first_event_at, last_event_at, attempt - $4, crashes, l.batch_limit, payload,
  coalesce($7, last_error), earlier_ids, run_at, asked_at,
  case when $5 > 0 then now() + $5 * interval '1 millisecond' end, priority, nullif(group_key, ''), origin, trace,
  crashed_at, newest_event, payload_event, replaced_by, calls, has_checkpoint, -1
from taken, lateral (
  select case when $6 = 0 and (crashes > 0 or taken.batch_limit < -1) then taken.batch_limit
    else coalesce($6, taken.batch_limit) end as batch_limit) l
order by key
-- include: return_run
