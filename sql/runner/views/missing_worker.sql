-- Direct workers whose server process is not there. A role that may not see another's server
-- process reads NULL for its start: that means alive.
create or replace view missing_worker with (security_invoker = true) as
select w.id
from worker w
where w.is_direct and not exists (
  select from pg_stat_get_activity(w.pid) a
  where a.backend_start is null or a.backend_start = w.backend_start)
