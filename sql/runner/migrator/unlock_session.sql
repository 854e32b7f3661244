-- Releases the lock that lock_session has taken on the schema $1. Rows: one. Locks: none.
select pg_advisory_unlock(hashtextextended('baton migrate ' || $1, 0)),
  set_config('search_path', 'pg_catalog', false)
