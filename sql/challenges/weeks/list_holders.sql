-- Sessions whose transaction has been open for long and has locked boards: the close leaves their
-- groups alone until they end; of this database, since another one may have a table of the same oid.
-- $1 how many seconds are long.
-- Rows: process id, user, application, seconds, what it runs. Locks: none. A role that may not see another's
-- session sees no text and not for how long it is open (null): it is listed all the same, since it may be long.
select a.pid, coalesce(a.usename, ''), coalesce(a.application_name, ''),
  extract(epoch from pg_catalog.now() - a.xact_start)::bigint, coalesce(left(a.query, 120), '')
from pg_stat_activity a
where a.datname = current_database() and a.pid <> pg_backend_pid()
  and (a.xact_start is null or a.xact_start < pg_catalog.now() - $1 * interval '1 second')
  and exists (
    select from pg_locks l
    where l.pid = a.pid and l.relation = 'challenge'::regclass and l.mode = 'RowShareLock')
order by a.xact_start
