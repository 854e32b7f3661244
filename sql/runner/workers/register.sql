-- Registers a worker, or reregisters it after its connection was lost. $1: the id. $2: the name. $3: true if the
-- connection is direct. $4: true if the worker listens. $5: true if the worker performs effects. $6: the dispatcher's
-- server process, or null. $7: the program, or null if unknown. $8: the program's release. $9: the fingerprint of the
-- program's definitions. $10: the job names. Rows: 1 affected row. Locks: the worker's row. If the login cannot read
-- the start time of its own server process, the connection does not count as direct. For a connection that is not
-- direct, only heartbeats show that the worker is alive.
insert into worker as w (
  id, name, is_direct, listens, pid, backend_start, performs_effects, dispatcher_pid, dispatcher_start,
  program, release, fingerprint, jobs)
select $1, $2, $3::boolean and a.backend_start is not null, $4, a.pid, a.backend_start, $5, d.pid, d.backend_start,
  $7, $8::integer, $9, $10
from (
  select p.pid, (select s.backend_start from pg_stat_activity s where s.pid = p.pid) as backend_start
  from (select pg_backend_pid() as pid) p
) a
left join pg_stat_get_activity(coalesce($6, 0)) d on d.backend_start is not null
on conflict (id) do update
set pid = excluded.pid, backend_start = excluded.backend_start, is_direct = excluded.is_direct,
  listens = excluded.listens, heartbeat_at = excluded.heartbeat_at, missing_since = null,
  performs_effects = excluded.performs_effects, held_at_death = null, awaits_lease = false,
  dispatcher_pid = excluded.dispatcher_pid, dispatcher_start = excluded.dispatcher_start,
  program = excluded.program, release = excluded.release, fingerprint = excluded.fingerprint,
  jobs = excluded.jobs
