-- Sessions with a long open transaction that has locked boards: the close skips their groups until they end. Only of
-- this database, because another one may have a table with the same oid. $1 how many seconds are long. Rows: process
-- id, user, application, seconds, query text. Locks: none. A role that may not see another role's session gets no text
-- and no duration (null). Such a session is listed too, because it may be long.
select a.pid, coalesce(a.usename, ''), coalesce(a.application_name, ''),
  extract(epoch from pg_catalog.now() - a.xact_start)::bigint, coalesce(left(a.query, 120), '')
from pg_stat_activity a
where a.datname = current_database() and a.pid <> pg_backend_pid()
  and (a.xact_start is null or a.xact_start < pg_catalog.now() - $1 * interval '1 second')
  and exists (
    select from pg_locks l
    where l.pid = a.pid and l.relation = 'challenge'::regclass and l.mode = 'RowShareLock')
order by a.xact_start
