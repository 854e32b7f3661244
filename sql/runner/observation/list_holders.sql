-- Lists the transactions and replication slots that prevent VACUUM from removing dead rows in this database. The list
-- contains open and prepared transactions that are older than $1 seconds, and inactive slots with an old snapshot.
-- Rows: kind (transaction, prepared or replication), name (the server process of a transaction), user, application,
-- state, age in seconds (null for a slot). The statement returns at most 20 rows, oldest first. Locks: none.
select * from (
  select 'transaction' as kind, pid::text as name, usename::text as owner, application_name as application,
    state, extract(epoch from now() - xact_start)::bigint as seconds
  from pg_stat_activity
  where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    and backend_type <> 'autovacuum worker'
  union all
  select 'prepared', gid, owner::text, '', 'prepared', extract(epoch from now() - prepared)::bigint
  from pg_prepared_xacts
  where database = current_database()
  union all
  select 'replication', slot_name::text, '', coalesce(plugin::text, ''), case when active then 'active' else 'not active' end,
    null
  from pg_replication_slots
  where (xmin is not null or catalog_xmin is not null) and not active) h
where seconds is null or seconds >= $1::bigint
order by seconds desc nulls last
limit 20
