-- Contains the checkpoints of runs that have ended, which purge-runs deletes. A scalar subquery searches for each
-- checkpoint's run by its key. With a join, the planner might read all runs.
create or replace view ended_checkpoint with (security_invoker = true) as
select c.run_id, c.saved_at
from run_checkpoint c
where (
    select true from run r where r.job = c.job and r.key = c.key and r.state = 'running' and r.id = c.run_id) is null
  and not exists (select from dead_run d where d.id = c.run_id)
