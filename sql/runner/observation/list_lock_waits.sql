-- Lists at most 50 sessions of this database that are waiting for a lock, and the sessions that block them. Rows:
-- server process, blocking server processes (separated by spaces), lock, lock mode, waiting time in ms (null if the
-- wait has just begun), user, application. If the caller cannot see a session, its user and application are null.
-- Locks: none.
select w.pid, array_to_string(pg_blocking_pids(w.pid), ' '),
  w.locktype || coalesce(' ' || case when w.database = d.oid then w.relation::regclass::text end, ''), w.mode,
  (extract(epoch from now() - w.waitstart) * 1000)::bigint, a.usename::text, a.application_name
from pg_locks w
join pg_database d on d.datname = current_database()
join pg_stat_activity a on a.pid = w.pid and a.datid = d.oid
where not w.granted
order by w.waitstart nulls last, w.pid
limit 50
