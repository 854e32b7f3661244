-- Deletes the records of functions, views and triggers that were changed without a migrator, so that the migrator
-- creates the objects again. $1 contains the kinds, $2 the names. Rows: the number of deleted rows. Locks: the rows.
delete from schema_object
where (kind, name) in (select * from unnest($1::text[], $2::text[]))
