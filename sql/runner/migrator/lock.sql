-- Ensures that only one migrator changes the schema, and limits the wait for all later locks. $1 is the schema, $2 the
-- limit in milliseconds. Rows: one row. Locks: an advisory lock until the end of the transaction, which also works
-- through a pooler. A migration that waits for a table's lock blocks all later writers of the table. After the limit,
-- the migration therefore fails and is tried again. $2 is longer than the server's deadlock_timeout, after which
-- autovacuum releases its lock. In later statements, a backslash in a string has no special meaning, and tables may be
-- partitioned, regardless of the session's settings. PostgreSQL refuses partitions if default_tablespace names the
-- database's own tablespace.
select pg_advisory_xact_lock(hashtextextended('baton migrate ' || $1, 0)),
  set_config('baton.schema', $1, true), set_config('lock_timeout', $2::bigint || 'ms', true),
  set_config('standard_conforming_strings', 'on', true),
  set_config('default_tablespace', '', true)
