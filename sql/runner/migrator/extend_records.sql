-- Adds the columns for releases to the table of applied migrations, if an older program created the table. A migration
-- cannot add the columns, because the migrator also writes them when it records earlier migrations. Rows: none. Locks:
-- the `migration` table, ACCESS EXCLUSIVE, if the columns are missing.
do $$
begin
  if not exists (
    select from pg_attribute
    where attrelid = pg_catalog.to_regclass('migration') and attname = 'is_compatible' and not attisdropped)
  then
    alter table migration
      -- The program that applied the migration, and its release. Null: unknown.
      add column program text,
      add column release integer,
      -- Whether programs that do not know the migration can work on the schema. Null: they cannot.
      add column is_compatible boolean;
  end if;
end $$
