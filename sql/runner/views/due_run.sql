-- Contains the runs that claims and dry runs read: waiting and due runs that are not in the queue of a full group. The
-- is_free column is a scalar subquery, because the planner would turn NOT EXISTS into a scan of all runs of the job. If
-- a query does not read is_free, the subquery is not executed. A waiting run with a checkpoint counts as the running
-- run of its key. The view includes paused jobs, so each claim first checks whether the job is paused.
create or replace view due_run with (security_invoker = true) as
select w.ctid as place, w.id, w.job, w.key, w.payload, w.attempt, w.due,
  least(w.first_event_at, w.asked_at) as first_event_at, w.batch_limit, w.priority, w.group_key,
  w.origin,
  (select true from run b where b.job = w.job and b.key = w.key and b.state = 'running'
      and w.state = 'ready') is null as is_free
from run w
where w.worker is null and not w.is_held and w.due <= pg_catalog.now()
