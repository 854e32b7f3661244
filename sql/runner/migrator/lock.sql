-- Serialises migrators of one schema, and then waits for no other lock longer than $2 milliseconds, nor for
-- half the time after which the server looks for deadlocks: views are replaced in one order and read in
-- another, and it is the migrator that gives way, not a worker or a caller. $1 the schema, $2.
-- Rows: one. Locks: an advisory lock until the end of the transaction; it works behind a pooler too.
-- A migration that queued for a table's lock would stop every writer behind it: it gives up instead and
-- is tried again.
select pg_advisory_xact_lock(hashtextextended('baton migrate ' || $1, 0)),
  set_config('baton.schema', $1, true),
  set_config('lock_timeout', least($2, setting::bigint / 2)::text || 'ms', true)
from pg_settings
where name = 'deadlock_timeout'
