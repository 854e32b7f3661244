-- Whether the schema $1 has a table of its roles. Rows: one. Locks: none. 42501 if the caller may not read it.
select to_regclass($1 || '.access') is not null
