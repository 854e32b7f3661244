-- Checks whether a schema contains the `program_release` table. $1: the schema. Rows: one row with a boolean that is
-- true if the table exists. Locks: none.
select to_regclass($1 || '.program_release') is not null
