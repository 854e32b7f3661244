-- Prepares a transaction that changes the schema $1, and limits the wait for each lock to $2 milliseconds. A migration
-- that is waiting for a table lock blocks all later writers of the table. When the lock wait reaches the limit, the
-- migration fails, and the migrator tries again. The limit on the lock wait is longer than the server's
-- deadlock_timeout, because autovacuum releases its lock after deadlock_timeout. In later statements, a backslash in a
-- string has no special meaning, and tables may be partitioned, regardless of the session's settings. PostgreSQL
-- refuses partitions if default_tablespace names the database's own tablespace. Rows: one row. Locks: none.
select pg_catalog.set_config('baton.schema', $1, true), pg_catalog.set_config('lock_timeout', $2::bigint || 'ms', true),
  pg_catalog.set_config('standard_conforming_strings', 'on', true), pg_catalog.set_config('default_tablespace', '', true)
