-- What the schema $1 is: `none` where it was never migrated, `parts`, or `before` where a program has
-- migrated it that knew no parts. Rows: one. Locks: none.
select case
  when to_regclass($1 || '.migration') is null then 'none'
  when exists (
    select from pg_attribute
    where attrelid = to_regclass($1 || '.migration') and attname = 'part') then 'parts'
  else 'before' end
