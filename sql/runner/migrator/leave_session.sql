-- Resets search_path and lock_timeout after a migration that cannot run in a transaction. Rows: one row. Locks: none.
select pg_catalog.set_config('search_path', 'pg_catalog', false),
  pg_catalog.set_config('lock_timeout', s.reset_val, false)
from pg_catalog.pg_settings s
where s.name = 'lock_timeout'
