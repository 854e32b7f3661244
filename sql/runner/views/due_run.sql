-- Contains the runs that claims and dry runs read: ready and due runs that are not in the queue of a full group. The
-- column is_free is a subquery for each row, because the planner would turn NOT EXISTS into a scan of all runs of the
-- job. A query that does not read the column does not execute the subquery. The view does not exclude paused jobs,
-- because such a condition would read all due runs of a paused job. A claim checks whether its job is paused, and then
-- reads no runs.
create or replace view due_run with (security_invoker = true) as
select w.ctid as place, w.id, w.job, w.key, w.payload, w.attempt, w.due,
  least(w.first_event_at, w.asked_at) as first_event_at, w.batch_limit, w.priority, w.group_key,
  w.origin,
  (select true from run b where b.job = w.job and b.key = w.key and b.state = 'running') is null
    as is_free
from run w
where w.state = 'ready' and not w.is_held and w.due <= pg_catalog.now()
