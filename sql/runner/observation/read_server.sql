-- Reads the server's connections and the longest open transaction in this database. A long transaction prevents VACUUM
-- from removing rows that became dead after the transaction began. The statement ignores its own transaction and those
-- of autovacuum workers. Rows: one row. The first columns are the server's time, used connections, allowed connections
-- (without reserved connections), and the number of sessions whose transactions this role cannot see. The next columns
-- are age in ms, server process, user, application and state of the oldest visible transaction, or null. The last
-- column is true if the server rejects writes. A read-only setting of this login or session counts only if the login
-- has the UPDATE privilege on the `run` table. Locks: none.
with session as materialized (
  select * from pg_stat_activity where usesysid is not null and datid is not null
),
here as (
  select * from session where datname = current_database() and pid <> pg_backend_pid()
)
select now(), (select count(*) from session),
  current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
    - coalesce(nullif(current_setting('reserved_connections', true), ''), '0')::bigint,
  (select count(*) from here where backend_start is null),
  -- If the oldest transaction began after this transaction, the age is 0.
  (extract(epoch from greatest(now() - oldest.xact_start, '0')) * 1000)::bigint, oldest.pid, oldest.usename::text,
  oldest.application_name, oldest.state,
  pg_is_in_recovery()
    or current_setting('default_transaction_read_only')::boolean and exists (
      select from pg_settings s
      where s.name = 'default_transaction_read_only'
        and (s.source not in ('user', 'database user', 'client', 'session')
          or has_table_privilege(session_user, 'run', 'update')))
from (select) one
left join (
  select * from here
  where xact_start is not null and backend_type <> 'autovacuum worker'
  order by xact_start
  limit 1) oldest on true
