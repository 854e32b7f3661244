-- Measures the WAL that the server has written, and the size of this schema after a VACUUM ANALYZE. The event log and
-- the queue are excluded, because both are empty when all runs have been completed. Rows: one row with the number of
-- WAL bytes, the number of rows, and the size in bytes including indexes. Locks: none.
select (pg_current_wal_insert_lsn() - '0/0')::bigint, sum(greatest(reltuples, 0))::bigint,
  sum(pg_total_relation_size(oid))::bigint
from pg_class
where relnamespace = current_schema()::regnamespace and relkind = 'r'
  and relname !~ '^(event|run|dead_run)'
