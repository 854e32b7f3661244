-- The runs that claims and dry runs read: ready runs that are due, except those held in the queue of a full group.
-- Whether a key is free is a subquery per row, because the planner turns NOT EXISTS into a scan of all runs of the job.
-- It is a column, so that a query that does not read it does not pay for it. The view does not filter paused jobs: a
-- condition on each row's job would read all due runs of a paused job. A claim checks the one job that it names, and
-- then reads none.
create or replace view due_run with (security_invoker = true) as
select w.ctid as place, w.id, w.job, w.key, w.payload, w.attempt, w.due,
  least(w.first_event_at, w.asked_at) as first_event_at, w.batch_limit, w.priority, w.group_key,
  w.origin,
  (select true from run b where b.job = w.job and b.key = w.key and b.state = 'running') is null
    as is_free
from run w
where w.state = 'ready' and not w.is_held and w.due <= pg_catalog.now()
