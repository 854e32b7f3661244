-- Returns the layout of the schema $1. The layout is `none` without migrations, `parts` with schema modules, and
-- `before` if the program that migrated the schema had no schema modules. Rows: one row with the layout. Locks: none.
select case
  when pg_catalog.to_regclass($1 || '.migration') is null then 'none'
  when exists (
    select from pg_attribute
    where attrelid = pg_catalog.to_regclass($1 || '.migration') and attname = 'part') then 'parts'
  else 'before' end
