-- Checks whether the schema has the table object_definition, which a migration creates. Rows: one row with the result.
-- Locks: none.
select pg_catalog.to_regclass('object_definition') is not null
