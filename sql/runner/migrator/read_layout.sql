-- The layout of the schema $1: `none` if it was never migrated, `parts`, or `before` if it was migrated by an old
-- program that had no parts. Rows: one. Locks: none.
select case
  when to_regclass($1 || '.migration') is null then 'none'
  when exists (
    select from pg_attribute
    where attrelid = to_regclass($1 || '.migration') and attname = 'part') then 'parts'
  else 'before' end
