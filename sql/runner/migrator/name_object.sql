-- Sets the object that the drop_object statement drops. Rows: one row. Locks: none.
select pg_catalog.set_config('baton.kind', $1, true), pg_catalog.set_config('baton.name', $2, true),
  pg_catalog.set_config('baton.relation', $3, true)
