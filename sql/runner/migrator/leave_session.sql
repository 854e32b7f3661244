-- Resets search_path after enter_session. Rows: one row. Locks: none.
select pg_catalog.set_config('search_path', 'pg_catalog', false)
