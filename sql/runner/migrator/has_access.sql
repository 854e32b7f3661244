-- Checks whether the schema $1 has the `access` table. Rows: one row with a boolean that is true if the table exists,
-- or error 42501 if the caller has no access to the schema. Locks: none.
select pg_catalog.to_regclass($1 || '.access') is not null
