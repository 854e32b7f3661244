-- Contains directly connected workers whose server process no longer exists. If a role is not allowed to see another
-- login's process, the process's start time is null and the worker counts as alive. A worker also counts as alive while
-- the server process of its dispatcher is idle. If the worker had been killed, this idle process would already have
-- ended. The view's condition avoids the call pg_stat_get_activity(null), which would return all processes. The view
-- omits workers that only wait for the end of the lease, because their missing processes require no further action.
create or replace view missing_worker with (security_invoker = true) as
select w.id
from worker w
where w.is_direct and not w.awaits_lease
  and not exists (
    select from pg_stat_get_activity(w.pid) a
    where a.backend_start is null or a.backend_start = w.backend_start)
  and not exists (
    select from pg_stat_get_activity(coalesce(w.dispatcher_pid, 0)) a
    where a.backend_start = w.dispatcher_start and a.state like 'idle%')
