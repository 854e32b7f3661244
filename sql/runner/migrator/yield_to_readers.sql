-- From here on waits for no lock longer than half the time after which the server looks for deadlocks: views
-- are replaced under locks on several of them, and where a reader has them in another order it is the migrator
-- that gives way, not a worker or a caller. Says to lock_views what it locks: $1 the views' names, with
-- commas. Rows: one. Locks: none. Until the end of the transaction.
select set_config('lock_timeout', (setting::bigint / 2) || 'ms', true),
  set_config('baton.views', $1, true)
from pg_settings
where name = 'deadlock_timeout'
