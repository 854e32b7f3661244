-- From here on waits for any lock at most half of deadlock_timeout. Views are replaced under locks on several of them.
-- If a reader locks them in another order, the migrator must give way, not a worker or a caller. Sets the views that
-- lock_views locks: $1 their names, with commas. Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('lock_timeout', (setting::bigint / 2) || 'ms', true),
  set_config('baton.views', $1, true)
from pg_settings
where name = 'deadlock_timeout'
