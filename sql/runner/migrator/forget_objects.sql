-- Deletes the records of functions, views and triggers that were changed without the migrator, so that the migrator
-- creates them again. $1: the objects' kinds. $2: the objects' names. Rows: the number of deleted rows. Locks: the
-- rows.
delete from schema_object
where (kind, name) in (select * from unnest($1::text[], $2::text[]))
