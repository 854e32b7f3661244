-- Returns the layout of the schema $1. The layout is `none` if the schema has no migrations, `parts` if it has schema
-- modules, and `before` if an older program without schema modules migrated it. Rows: one row with the layout. Locks:
-- none.
select case
  when pg_catalog.to_regclass($1 || '.migration') is null then 'none'
  when exists (
    select from pg_attribute
    where attrelid = pg_catalog.to_regclass($1 || '.migration') and attname = 'part') then 'parts'
  else 'before' end
