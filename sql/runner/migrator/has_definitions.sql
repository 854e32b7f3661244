-- Checks whether the schema has the object_definition table, which a migration creates. Rows: one row with a boolean
-- that is true if the table exists. Locks: none.
select pg_catalog.to_regclass('object_definition') is not null
