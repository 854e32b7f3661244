-- Makes names in later statements of the transaction mean objects of PostgreSQL only. Rows: one row. Locks: none.
select pg_catalog.set_config('search_path', 'pg_catalog', true)
