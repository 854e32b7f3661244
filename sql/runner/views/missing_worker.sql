-- Direct workers whose server process no longer exists. A role that may not see another login's server process reads
-- NULL for its start; the worker then counts as alive.
create or replace view missing_worker with (security_invoker = true) as
select w.id
from worker w
where w.is_direct and not exists (
  select from pg_stat_get_activity(w.pid) a
  where a.backend_start is null or a.backend_start = w.backend_start)
