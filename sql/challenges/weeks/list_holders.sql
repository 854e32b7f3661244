-- Lists sessions with a long open transaction that has locked boards. Closing a week skips groups whose boards are
-- locked. Other databases are excluded, because their tables may have the same oid. $1: the minimum duration in
-- seconds. Rows: process id, user, application, duration in seconds, query text. Locks: none. If the caller's role
-- cannot see a session, the text is `<insufficient privilege>` and the duration is null. Sessions with an unknown
-- duration are also listed, because their transactions may be long.
select a.pid, coalesce(a.usename, ''), coalesce(a.application_name, ''),
  extract(epoch from pg_catalog.now() - a.xact_start)::bigint, coalesce(left(a.query, 120), '')
from pg_stat_activity a
where a.datname = current_database() and a.pid <> pg_backend_pid()
  and (a.xact_start is null or a.xact_start < pg_catalog.now() - $1 * interval '1 second')
  and exists (
    select from pg_locks l
    where l.pid = a.pid and l.relation = 'challenge'::regclass and l.mode = 'RowShareLock')
order by a.xact_start
