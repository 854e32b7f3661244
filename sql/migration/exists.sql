-- Whether the schema $1 was ever migrated. Rows: one. Locks: none.
select to_regclass($1 || '.migration') is not null
