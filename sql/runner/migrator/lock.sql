-- Serialises migrators of one schema, and then waits for no other lock longer than $2 milliseconds.
-- $1 the schema, $2. Rows: one. Locks: an advisory lock until the end of the transaction; it works behind
-- a pooler too. A migration that queued for a table's lock would stop every writer behind it: it gives up
-- instead and is tried again. Longer than the server's deadlock_timeout, after which autovacuum gives way.
-- A backslash in what comes behind is one, whatever the migrator's session says of it.
select pg_advisory_xact_lock(hashtextextended('baton migrate ' || $1, 0)),
  set_config('baton.schema', $1, true), set_config('lock_timeout', $2::bigint || 'ms', true),
  set_config('standard_conforming_strings', 'on', true)
