-- The connections of the server, and the longest open transaction of this database, except this one and those of
-- autovacuum: its age limits what can be vacuumed in this database. Rows: one: the server's time, connections in use,
-- how many connections are allowed without the reserved ones, sessions of this database whose transactions this role
-- may not see; for the oldest visible one its age in ms, server process, user, application and state (null: none).
-- Locks: none.
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
  -- Not below 0: that transaction may have begun after this one.
  (extract(epoch from greatest(now() - oldest.xact_start, '0')) * 1000)::bigint, oldest.pid, oldest.usename::text,
  oldest.application_name, oldest.state
from (select) one
left join (
  select * from here
  where xact_start is not null and backend_type <> 'autovacuum worker'
  order by xact_start
  limit 1) oldest on true
