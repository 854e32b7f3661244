-- Returns the layout of the schema $1. The layout is `none` if the schema has no migrations, and `parts` if the schema
-- has modules. If an older program without modules migrated the schema, the layout is `before`. Rows: one row with the
-- layout. Locks: none.
select case
  when pg_catalog.to_regclass($1 || '.migration') is null then 'none'
  when exists (
    select from pg_attribute
    where attrelid = pg_catalog.to_regclass($1 || '.migration') and attname = 'part') then 'parts'
  else 'before' end
