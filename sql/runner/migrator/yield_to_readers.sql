-- Limits each later wait for a lock to half of deadlock_timeout. The statement also stores the names of the views in
-- the baton.views setting, which the lock_views statement reads. The migrator replaces views while it has locks on
-- several views. If a reader locks the views in a different order, the migrator must fail, not the worker or API call
-- that reads. $1: the names of the views, separated by commas. Rows: one row. Locks: none. The settings last until the
-- transaction ends.
select pg_catalog.set_config('lock_timeout', (setting::bigint / 2) || 'ms', true),
  pg_catalog.set_config('baton.views', $1, true)
from pg_settings
where name = 'deadlock_timeout'
