-- Sets the object for drop_object. $1: the object's kind. $2: the object's name. $3: the table. Rows: one row. Locks:
-- none.
select pg_catalog.set_config('baton.kind', $1, true), pg_catalog.set_config('baton.name', $2, true),
  pg_catalog.set_config('baton.relation', $3, true)
