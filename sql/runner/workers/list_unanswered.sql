-- Lists the server processes that are not executing a statement, although their client is waiting for a result. A
-- process that does not exist is on another server, or has ended. A process that has just become idle may still be
-- sending its result. $1: process ids. $2: the processes' start times, because a later process may get the same id.
-- Rows: the position of each such process in $1, from 1 on. Locks: none. If the login may not see a process, the
-- process is not listed.
select b.number::integer
from unnest($1::integer[], $2::timestamptz[]) with ordinality b (pid, start, number)
where not exists (select from pg_stat_get_activity(b.pid))
  or exists (
    select from pg_stat_get_activity(b.pid) a
    where a.backend_start <> b.start
      or a.state like 'idle%' and a.state_change < clock_timestamp() - interval '5 seconds')
