-- Unlocks what lock_session has locked of the schema $1. Rows: one. Locks: none.
select pg_advisory_unlock(hashtextextended('baton migrate ' || $1, 0)),
  set_config('search_path', 'pg_catalog', false)
