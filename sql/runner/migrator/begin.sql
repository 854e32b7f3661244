-- Prepares a transaction that changes the schema $1, and limits the wait for each lock to $2 milliseconds. A migration
-- that waits for a table lock blocks all later writers of the table. When the lock wait reaches the limit, the
-- migration fails, and the migrator tries again. The limit is longer than the server's deadlock_timeout, because
-- autovacuum then releases its lock. A backslash in a later string has no special meaning, and tables may be
-- partitioned, which PostgreSQL refuses if default_tablespace names the database's own tablespace. The transaction is
-- idle while another connection builds an index, so no timeout of an idle or long transaction applies. The setting
-- transaction_timeout exists since PostgreSQL 17. Rows: one row. Locks: none.
select pg_catalog.set_config('baton.schema', $1, true), pg_catalog.set_config('lock_timeout', $2::bigint || 'ms', true),
  pg_catalog.set_config('standard_conforming_strings', 'on', true),
  pg_catalog.set_config('default_tablespace', '', true),
  pg_catalog.set_config('idle_in_transaction_session_timeout', '0', true),
  case when pg_catalog.current_setting('transaction_timeout', true) is not null
    then pg_catalog.set_config('transaction_timeout', '0', true) end
