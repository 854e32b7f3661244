-- A batch of due runs, as a claim would return it, for a dry run. Claims skip these runs until this transaction ends,
-- but the fold still adds events to them. $1 job, $2 how many. Rows: id, key, payload, attempt, due, first event,
-- place, origin, trace. Locks: the runs, KEY SHARE, SKIP LOCKED. Index: run_ready.
select w.id, w.key, w.payload::text, w.attempt + 1, w.due, w.first_event_at, w.place,
  w.origin, null
from due_run w
where w.job = $1
  and not exists (select from job where name = $1 and paused_at is not null)
  and w.batch_limit = 0 and w.is_free
order by w.priority, w.due
limit $2
for key share of w skip locked
