-- Returns a batch of due runs for a dry run, with the columns that a claim returns. Until the transaction ends, claims
-- skip the returned runs, but new events can still be merged into them. $1: the job's name. $2: the maximum number of
-- runs. Rows: the columns of the claimed_run fragment. A dry run completes no run, so the last column is always false.
-- Locks: the runs, KEY SHARE, SKIP LOCKED. Index: run_ready.
select w.id, w.key, w.payload::text, w.attempt + 1, w.due, w.first_event_at, w.place,
  w.origin, null, false
from due_run w
where w.job = $1
  and not exists (select from job where name = $1 and paused_at is not null)
  and w.batch_limit = 0 and w.is_free
order by w.priority, w.due
limit $2
for key share of w skip locked
