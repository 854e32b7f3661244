-- Checks whether the schema $1 has the table `access`. Rows: one row with a boolean that is true if the table exists,
-- or the error 42501 if the caller has no access to the schema. Locks: none.
select pg_catalog.to_regclass($1 || '.access') is not null
