-- Checks whether the schema $1 has the table `program_release`. Rows: one row with the result. Locks: none.
select to_regclass($1 || '.program_release') is not null
