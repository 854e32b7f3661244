-- Serialises migrators of one schema, and then waits for any other lock at most $2 milliseconds. $1 the schema, $2 the
-- limit. Rows: one. Locks: an advisory lock until the end of the transaction, which also works through a pooler. A
-- migration that queues for a table's lock would block every writer that comes after it: it gives up instead and is
-- tried again. $2 is longer than the server's deadlock_timeout, after which autovacuum gives way. Whatever the
-- session's settings are, a backslash in the statements that follow is a plain character.
select pg_advisory_xact_lock(hashtextextended('baton migrate ' || $1, 0)),
  set_config('baton.schema', $1, true), set_config('lock_timeout', $2::bigint || 'ms', true),
  set_config('standard_conforming_strings', 'on', true)
