-- What claims and dry runs take from: ready runs that are due, those aside that a full group holds. Whether a key is free is a question to each
-- row, not NOT EXISTS, which the planner makes one scan of all runs of the job out of; and a column, for
-- who does not ask is not charged. Pauses are not asked for here: by the job of each row, a paused job would
-- have all of its due runs read; by the one that is named, none.
create or replace view due_run with (security_invoker = true) as
select w.ctid as place, w.id, w.job, w.key, w.payload, w.attempt, w.due,
  least(w.first_event_at, w.asked_at) as first_event_at, w.batch_limit, w.priority, w.group_key,
  w.origin,
  (select true from run b where b.job = w.job and b.key = w.key and b.state = 'running') is null
    as is_free
from run w
where w.state = 'ready' and not w.is_held and w.due <= pg_catalog.now()
