-- Contains workers with a direct connection whose server process no longer exists. If a role may not see the process of
-- another login, the start of the process is null, and the worker counts as alive. An idle process of the dispatcher also
-- proves that the worker is alive, because an idle process ends as soon as its client is killed. With null,
-- pg_stat_get_activity would return all processes. A worker that only waits for the end of its lease is left out, because
-- its missing process requires no further action.
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
