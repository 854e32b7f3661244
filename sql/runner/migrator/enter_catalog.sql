-- Sets search_path so that unqualified names in later statements of the transaction refer only to PostgreSQL's own
-- objects. Rows: one row. Locks: none.
select pg_catalog.set_config('search_path', 'pg_catalog', true)
