-- From here on waits for no lock longer than half the time after which the server looks for deadlocks: views
-- are replaced in one order and read in another, and it is the migrator that gives way, not a worker or a
-- caller. Rows: one. Locks: none. Until the end of the transaction.
select set_config('lock_timeout', (setting::bigint / 2) || 'ms', true)
from pg_settings
where name = 'deadlock_timeout'
