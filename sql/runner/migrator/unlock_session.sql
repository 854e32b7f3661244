-- Releases the lock of lock_session on the schema $1. Rows: one row. Locks: none.
select pg_advisory_unlock(hashtextextended('baton migrate ' || $1, 0)),
  set_config('search_path', 'pg_catalog', false)
