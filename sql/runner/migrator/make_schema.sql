-- Creates the schema that the baton.schema setting names, and the tables that record the applied migrations and
-- objects. Rows: none. Locks: the new objects. The caller must hold the migrator's lock on the schema.
do $$
begin
  if pg_catalog.to_regnamespace(pg_catalog.current_setting('baton.schema')) is null then
    execute pg_catalog.format('create schema %I', pg_catalog.current_setting('baton.schema'));
  end if;
  create table if not exists migration (
    part text collate "C" not null,
    name text collate "C" not null,
    sha256 text not null,
    applied_at timestamptz not null default pg_catalog.now(),
    primary key (part, name)
  );
  -- The set_number column contains the newest version whose functions, views and triggers this schema contains
  -- completely.
  create table if not exists schema_part (
    part text collate "C" primary key,
    set_number integer not null
  );
  create table if not exists schema_object (
    part text collate "C" not null,
    kind text collate "C" not null,
    name text collate "C" not null,
    -- The `relation` column contains the table of a trigger, or an empty string for other objects.
    relation text collate "C" not null,
    sha256 text not null,
    primary key (kind, name)
  );
end $$
