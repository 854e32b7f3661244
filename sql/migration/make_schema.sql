-- Makes the schema named in baton.schema and the list of what was applied to it. Rows: none.
-- Locks: the new names; the caller holds the migrators' lock.
do $$
begin
  if to_regnamespace(current_setting('baton.schema')) is null then
    execute format('create schema %I', current_setting('baton.schema'));
  end if;
  create table if not exists migration (
    name text collate "C" primary key,
    sha256 text not null,
    applied_at timestamptz not null default pg_catalog.now()
  );
end $$
