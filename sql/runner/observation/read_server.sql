-- The connections of the server, and the transaction of this database that has been open for longest, this one and
-- those of autovacuum aside: what it keeps from being vacuumed is kept in this database.
-- Rows: one: the server's time, connections in use, how many may be in use by others than superusers, sessions of this
-- database whose transactions this role may not see; of the oldest that it sees its age in ms, server process, user,
-- application and state (null: none). Locks: none.
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
  -- It may have begun since this one did.
  (extract(epoch from greatest(now() - oldest.xact_start, '0')) * 1000)::bigint, oldest.pid, oldest.usename::text,
  oldest.application_name, oldest.state
from (select) one
left join (
  select * from here
  where xact_start is not null and backend_type <> 'autovacuum worker'
  order by xact_start
  limit 1) oldest on true
