-- Sets the object that the statement drop_object drops. Rows: one row. Locks: none.
select pg_catalog.set_config('baton.kind', $1, true), pg_catalog.set_config('baton.name', $2, true),
  pg_catalog.set_config('baton.relation', $3, true)
